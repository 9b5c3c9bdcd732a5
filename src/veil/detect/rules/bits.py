"""What a word may be where a name is possible, as bits that are added up.

They are plain integers, which are faster: every capitalised word is looked up.
"""

GIVEN = 1
SURNAME = 2
CLEAR = 4
"""A name and nothing else."""
UNKNOWN = 8
PARTICLE = 16
INITIAL = 32
COMMON = 64
"""Not a name, but it may look like one: Dr. Room."""
STOP = 128
"""Ends a name."""
MEDICAL = 256
"""A clinical word, whatever else it is: Foley, Burns, Parkinson."""
PLACE = 512
"""In a list of places, whatever else it is: Lincoln."""
MONTH = 1024
CAPITALS = 2048
"""Two or three capitals, which are rarely a name."""
LISTED = GIVEN | SURNAME
POSSIBLE = LISTED | UNKNOWN
