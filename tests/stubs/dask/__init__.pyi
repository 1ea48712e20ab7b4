from typing import Any

# Dask tells the types of some functions only: all are Any.
delayed: Any

def __getattr__(name: str) -> Any: ...
