"""Numbers that identify: whether a string of digits is one, and the check digits that make it one.

Every `is_...` function takes the text as it was matched (separators, full-width digits and all) and
never raises; the functions that compute check digits take plain digits.
"""
