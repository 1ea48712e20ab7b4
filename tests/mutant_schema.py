"""All mutants in one build: ``carom_mutant(number)`` switches one of them on.

A build for every mutant takes hours. Here each place that has mutants becomes a `match` on the
number of the mutant that is on, 0 for none, whose last arm is the code as it was. In the tests of
the core the environment names it. What cargo-mutants replaces, and by what, is its list's;
tree-sitter finds the operands. Constants and `const fn` can't ask for a number at run time, and
places of a few other forms aren't rewritten: these mutants are left over.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import tree_sitter_rust
from tree_sitter import Language, Node, Parser

if TYPE_CHECKING:
    from collections.abc import Iterable

PARSER = Parser(Language(tree_sitter_rust.language()))
CURRENT = "crate::mutation::current()"
LAZY = (b"&&", b"||")
COMPARISONS = (b"==", b"!=", b"<", b"<=", b">", b">=")

MODULE = """\
//! Which mutant is on.

#![allow(unsafe_code, missing_docs)]

use std::sync::atomic::{AtomicU32, Ordering};

static CURRENT: AtomicU32 = AtomicU32::new(u32::MAX);

#[inline(always)]
pub fn current() -> u32 {
    let number = CURRENT.load(Ordering::Relaxed);
    if number == u32::MAX { named() } else { number }
}

#[cold]
fn named() -> u32 {
    let number = std::env::var("CAROM_MUTANT").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    carom_mutant(number);
    number
}

#[unsafe(no_mangle)]
pub extern "C" fn carom_mutant(number: u32) {
    CURRENT.store(number, Ordering::Relaxed);
}
"""


@dataclass
class Site:
    """A place and its mutants: their numbers, and what each puts in the place."""

    node: Node
    mutants: dict[int, str] = field(default_factory=dict)


class Schema:
    """A file with the mutants that could be placed; `left_over` has the numbers of the others."""

    def __init__(self, source: bytes, mutants: Iterable[tuple[int, dict[str, Any]]]) -> None:
        self.source = source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        root = PARSER.parse(source).root_node
        self.sites: dict[int, Site] = {}
        self.left_over: list[int] = []
        for number, mutant in mutants:
            node = self.place(root, mutant)
            if node is None:
                self.left_over.append(number)
            else:
                self.sites.setdefault(node.id, Site(node)).mutants[number] = mutant["replacement"]
        self.text = self.written(root)

    def offset(self, position: dict[str, int]) -> int:
        """Of a line and a column in characters, both from 1."""
        start = self.starts[position["line"] - 1]
        line = self.source[start : self.starts[position["line"]]].decode()
        return start + len(line[: position["column"] - 1].encode())

    def place(self, root: Node, mutant: dict[str, Any]) -> Node | None:
        """The expression, block or arm that a mutant changes, if it can be rewritten."""
        start, end = (self.offset(mutant["span"][it]) for it in ("start", "end"))
        node = root.descendant_for_byte_range(start, end)
        wanted = {
            "BinaryOperator": ("binary_expression", "compound_assignment_expr"),
            "UnaryOperator": ("unary_expression",),
            "FnValue": ("block",),
            "MatchArm": ("match_arm",),
            "MatchArmGuard": ("match_pattern",),
        }.get(mutant["genre"], ())
        while node is not None and node.type not in wanted:
            node = node.parent
        if node is None or is_constant(node):
            return None
        if mutant["genre"] in ("BinaryOperator", "MatchArmGuard") and has_let(node):
            return None
        if mutant["genre"] == "FnValue" and "impl " in mutant["function"]["return_type"]:
            return None
        return node

    def written(self, node: Node) -> bytes:
        """The text of a node, with the mutants in it."""
        text, at = b"", node.start_byte
        for child in node.children:
            text += self.source[at : child.start_byte] + self.written(child)
            at = child.end_byte
        text += self.source[at : node.end_byte]
        site = self.sites.get(node.id)
        return text if site is None else self.rewritten(site, text)

    def rewritten(self, site: Site, plain: bytes) -> bytes:
        node, first = site.node, min(site.mutants)
        mark = b" /*s%d*/\n" % first

        def arms(made: dict[int, bytes], otherwise: bytes) -> bytes:
            text = b"match " + CURRENT.encode() + b" {" + mark
            for number, code in made.items():
                text += b"%d => { %s } /*m%d*/\n" % (number, code, number)
            return text + b"_ => { " + otherwise + b" }" + mark + b"}"

        if node.type == "block":
            tests = b"".join(
                b"if %s == %d { return %s; } /*m%d*/\n"
                % (CURRENT.encode(), number, one_line(code), number)
                for number, code in site.mutants.items()
            )
            return b"{\n" + tests + plain[1:]
        if node.type == "match_arm":
            pattern = next(it for it in node.children if it.type == "match_pattern")
            whole = self.written(pattern)
            rest = plain[len(whole) :]
            off = b"%s != %d /*m%d*/\n" % (CURRENT.encode(), first, first)
            guard = pattern.child_by_field_name("condition")
            if guard is None:
                return whole + b" if " + off + rest
            # The guard may have mutants of its own.
            start = guard.start_byte - pattern.start_byte
            return whole[:start] + b"(" + whole[start:] + b") && " + off + rest
        if node.type == "match_pattern":
            guard = node.child_by_field_name("condition")
            if guard is None:
                return plain
            before = self.source[node.start_byte : guard.start_byte]
            made = {number: code.encode() for number, code in site.mutants.items()}
            return before + b"\n(" + arms(made, self.written(guard)) + b")\n"
        if node.type == "unary_expression":
            operand = self.written(node.children[-1])
            sign = self.source[node.start_byte : node.start_byte + 1]
            made = dict.fromkeys(site.mutants, b"it__")
            return (
                b"\n({ let it__ = " + operand + b";" + mark + arms(made, sign + b"it__") + b"})\n"
            )
        left, operator, right = (
            node.child_by_field_name(it) for it in ("left", "operator", "right")
        )
        assert left and operator and right
        sign = self.source[operator.start_byte : operator.end_byte]
        a, b = self.written(left), self.written(right)
        if node.type == "compound_assignment_expr":
            made = {n: a + b" " + code.encode() + b" r__" for n, code in site.mutants.items()}
            body = arms(made, a + b" " + sign + b" r__")
            return b"\n{ let r__ = " + b + b";" + mark + body + b"}\n"
        if sign in LAZY:
            made = {
                n: b"(" + a + b") " + code.encode() + b" (" + b + b")"
                for n, code in site.mutants.items()
            }
            return b"\n(" + arms(made, b"(" + a + b") " + sign + b" (" + b + b")") + b")\n"
        borrow = b"&" if sign in COMPARISONS else b""
        made = {n: b"l__ " + code.encode() + b" r__" for n, code in site.mutants.items()}
        bound = b"let l__ = %s(%s); let r__ = %s(%s);" % (borrow, a, borrow, b)
        return b"\n({ " + bound + mark + arms(made, b"l__ " + sign + b" r__") + b"})\n"


def blamed(schema: Schema, first: int, last: int) -> set[int]:
    """The mutants that an error in these lines is about: one, or all of the place."""
    lines = schema.text.decode().splitlines()
    arms = re.findall(r"/\*m(\d+)\*/", "\n".join(lines[first - 1 : last]))
    if arms:
        return set(map(int, arms))
    marks = re.findall(r"/\*s(\d+)\*/", "\n".join(lines[first - 1 : last + 4]))
    places = [site.mutants for site in schema.sites.values()]
    return {number for it in places for number in it if marks and int(marks[0]) in it}


def one_line(code: str) -> bytes:
    return " ".join(code.split()).encode()


def is_constant(node: Node) -> bool:
    """Whether a node is evaluated by the compiler."""
    above: Node | None = node
    while above is not None:
        if above.type in (
            "const_item",
            "static_item",
            "array_type",
            "const_block",
            "type_arguments",
        ):
            return True
        if above.type == "array_expression" and above.child_by_field_name("length") is not None:
            length = above.child_by_field_name("length")
            assert length is not None
            if length.start_byte <= node.start_byte < length.end_byte:
                return True
        if above.type == "function_item":
            modifiers = [it for it in above.children if it.type == "function_modifiers"]
            return any(b"const" in (it.text or b"").split() for it in modifiers)
        above = above.parent
    return False


def has_let(node: Node) -> bool:
    return node.type in ("let_condition", "let_chain") or any(has_let(it) for it in node.children)


def numbered(mutants: list[dict[str, Any]]) -> dict[str, list[tuple[int, dict[str, Any]]]]:
    """The mutants of each file, with numbers from 1."""
    files = defaultdict(list)
    for number, mutant in enumerate(mutants, 1):
        files[mutant["file"]].append((number, mutant))
    return files
