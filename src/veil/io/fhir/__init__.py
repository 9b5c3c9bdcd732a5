"""FHIR R4: texts in resources, and what in their structure names people."""
