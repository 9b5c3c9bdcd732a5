"""CDA R2 documents: their narrative, and the parts of their structure that name people."""
