"""Word files (DOCX): the text of all parts, with the formatting of each run kept."""
