"""What the fits for Japanese know of names, institutions and places."""
