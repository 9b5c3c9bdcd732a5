"""Masking: records without what identifies people, in memory and in whole folders of files."""
