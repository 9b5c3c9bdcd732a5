"""RTF: the text of all groups is masked, and everything else is unchanged."""
