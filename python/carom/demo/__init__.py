"""The demos of `python -m carom demo`."""
