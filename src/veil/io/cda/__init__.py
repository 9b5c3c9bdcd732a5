"""CDA R2 documents: their narrative, and what in their structure names people."""
