from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

class Array:
    def compute(self) -> NDArray[Any]: ...

def from_array(x: NDArray[Any], chunks: tuple[int, ...]) -> Array: ...
def map_blocks(
    func: Callable[[NDArray[Any]], NDArray[Any]], *args: Array, drop_axis: int, dtype: type
) -> Array: ...
