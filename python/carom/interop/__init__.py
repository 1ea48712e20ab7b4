"""Columns and results in the terms of other libraries, none of which is imported unasked."""
