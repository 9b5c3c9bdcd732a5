"""Excel workbooks (XLSX): tables in sheets, edited in place."""
