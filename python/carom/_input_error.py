"""The exceptions for invalid input, and the places that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from typing import Self

E = TypeVar("E", bound="InputError")
Row = int | tuple[int, ...]


class Place(str):
    """An argument, or a row of it, as the text by which messages name it.

    `text` is given where that is not the argument with the row in brackets.
    """

    __slots__ = ("argument", "label", "row")

    argument: str | None
    row: Row | None
    label: Any

    def __new__(
        cls,
        argument: str | None,
        row: Row | None = None,
        text: str | None = None,
        label: Any = None,
    ) -> Self:
        if text is None:
            text = str(argument or "")
            if row is not None:
                text += f"[{', '.join(map(str, row)) if isinstance(row, tuple) else row}]"
        place = super().__new__(cls, text)
        place.argument = argument.argument if isinstance(argument, Place) else argument
        place.row, place.label = row, label
        return place

    def called(self, name: str) -> Place:
        """The same place in an argument of another name."""
        return Place(name, self.row, name + self.removeprefix(self.argument or ""), self.label)

    def __reduce__(self) -> tuple[Any, ...]:
        return Place, (self.argument, self.row, str(self), self.label)


class InputError(Exception):
    """Input is not valid.

    Every exception for an argument is one, and a `ValueError`, `TypeError` or `IndexError` as well.
    Its attributes have what the message says.

    Parameters
    ----------
    *reason : str
        What is wrong, in parts, some of which may be advice that callers replace by their own.
    at : str, optional
        The argument, which begins the message.
    link : str, default ": "
        What is between the argument and the reason in the message.

    Attributes
    ----------
    argument : str or None
        The parameter that begins the message; None if it begins with something else.
    row : int, tuple of int, or None
        The row that is invalid, counted from 0; one number for each dimension if there are several,
        and None of an argument that has no rows, or is refused as a whole.
    label : object
        The label of the row in an index of pandas; None without one.
    reason : str
        The message without argument and row.

    See Also
    --------
    Shapes.invalid_reason : why each row of a column is not valid.

    Examples
    --------
    >>> import carom
    >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    >>> try:
    ...     carom.distance_batch([square, square[:2]], square)
    ... except carom.InputError as error:
    ...     print(error.argument, error.row)
    ...     print(error.reason[:39])
    a 1
    a polygon has three vertices or more, n
    >>> issubclass(carom.InputError, ValueError), isinstance(error, ValueError)
    (False, True)
    """

    argument: str | None
    row: Row | None
    label: Any
    reason: str

    def __init__(self, *reason: str, at: str | None = None, link: str = ": ") -> None:
        place = at if isinstance(at, Place) else Place(at)
        self._parts, self._place, self._link = reason, place, link
        self.argument, self.row, self.label = place.argument, place.row, place.label
        self.reason = "".join(reason)
        super().__init__(f"{place}{link}{self.reason}" if place else self.reason)


class InputValueError(InputError, ValueError):
    """Input of the right type with an invalid value; see `InputError`."""


class InputTypeError(InputError, TypeError):
    """Input of the wrong type; see `InputError`."""


class InputIndexError(InputError, IndexError):
    """A number of a row that does not exist; see `InputError`."""


for _public in (InputError, InputValueError, InputTypeError, InputIndexError):
    _public.__module__ = "carom"


def of_parts(name: str, reason: list[str], at: Place, link: str) -> InputError:
    """The exception of the class of this name."""
    kind: type[InputError] = globals()[name]
    return kind(*reason, at=at, link=link)


def place_of(error: InputError) -> Place:
    """The argument and row as the message names them."""
    place: Place = vars(error)["_place"]
    return place


def parts_of(error: InputError) -> tuple[str, ...]:
    """The reason in parts: text, other places, and advice."""
    parts: tuple[str, ...] = vars(error)["_parts"]
    return parts


def again(error: E, *reason: str, at: str | None = None) -> E:
    """The same exception with another reason or place, if given."""
    at = place_of(error) if at is None else at
    return type(error)(*(reason or parts_of(error)), at=at, link=vars(error)["_link"])


def with_advice(error: Exception, advice: str) -> Exception:
    """The exception with advice at its end, if it is one for input."""
    return again(error, *parts_of(error), advice) if isinstance(error, InputError) else error


def reason(error: Exception) -> str:
    """What an exception says, without argument and row if it is one for input."""
    return error.reason if isinstance(error, InputError) else str(error)
