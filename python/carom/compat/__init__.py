"""What replaces the functions of other libraries.

`carom.compat.highway_env` has a function with the name, the arguments and the return values of
HighwayEnv's. `carom.compat.shapely` has no functions: its docstring is a table of Shapely's calls
and their equivalents in carom.
"""
