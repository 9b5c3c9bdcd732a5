"""A fuzzer for `veil mask`: broken files with planted identifiers, which must not leak."""
