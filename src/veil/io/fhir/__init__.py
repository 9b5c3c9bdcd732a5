"""FHIR R4: texts in resources, and the parts of their structure that name people."""
