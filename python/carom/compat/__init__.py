"""Replacements for functions of other libraries, with their signatures."""
