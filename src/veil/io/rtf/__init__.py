"""RTF: the text of all groups that hold some, while everything else stays."""
