"""Conversion to and from other libraries, each imported only when it is needed."""
