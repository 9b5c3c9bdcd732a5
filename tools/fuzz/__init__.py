"""A fuzzer for `veil mask`: broken files with planted identifiers, none of which may come out."""
