"""The commands: each module defines its name, help, arguments, and `run`."""
