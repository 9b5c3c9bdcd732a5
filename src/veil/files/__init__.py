"""Functions over files: one for each command of the command line."""
