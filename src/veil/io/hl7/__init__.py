"""HL7 version 2: fields that name people, and the free text of messages."""
