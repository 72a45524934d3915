"""Where one change can be made in a Python source, and what it would be: by its syntax tree."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from places import Place, drawn

OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
# Their types are read by a checker alone.
TYPES = ("annotation", "returns", "decorator_list", "type_params")


class Source:
    """A file's text and its tree."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = [0]
        for line in text.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def offset(self, line: int, column: int) -> int:
        """The character at a column, which counts bytes."""
        start = self.lines[line - 1]
        return start + len(self.text[start : self.lines[line]].encode()[:column].decode())

    def place(self, kind: str, node: ast.expr | ast.stmt, became: str, is_statement: bool = False) -> Place:
        start = self.offset(node.lineno, node.col_offset)
        end = self.offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
        return Place(start, end, kind, is_statement, self.text[start:end], became)

    def places(self, node: ast.AST) -> Iterator[Place]:
        """Those in a node; texts with values in them, types and what only a type checker reads are left as they are."""
        if isinstance(node, (ast.JoinedStr, ast.AnnAssign)) or is_for_types(node):
            return
        yield from self.of(node)
        for name, field in ast.iter_fields(node):
            if name not in TYPES:
                for child in field if isinstance(field, list) else [field]:
                    if isinstance(child, ast.AST):
                        yield from self.places(child)

    def of(self, node: ast.AST) -> Iterator[Place]:
        match node:
            case ast.Compare(ops=[operator]) if type(operator) in OTHER:
                yield self.place("comparison", node, changed(node, "ops", [OTHER[type(operator)]()]))
            case ast.BoolOp(op=operator):
                yield self.place("operator", node, changed(node, "op", OTHER[type(operator)]()))
            case ast.BinOp(op=operator) if type(operator) in OTHER:
                yield self.place("arithmetic", node, changed(node, "op", OTHER[type(operator)]()))
            case ast.Constant(value=bool(value)):
                yield self.place("boolean", node, str(not value))
            case ast.Constant(value=int(value)):
                yield self.place("constant", node, str(value + 1))
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield self.place("condition", test, f"(not ({ast.unparse(test)}))")
            case ast.Expr(value=ast.Call() | ast.Await()) | ast.Assign() | ast.AugAssign():
                yield self.place("dropped", node, "", True)


def changed(node: ast.expr, field: str, value: object) -> str:
    """The node's text with another value of one field."""
    other = copy.deepcopy(node)
    setattr(other, field, value)
    return f"({ast.unparse(other)})"


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def chosen(name: str, text: str, _: list[str], seed: int, lines_per_place: int) -> list[Place]:
    """Places inside the functions of a file: a file without functions has none."""
    tree, source = ast.parse(text), Source(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    found = {place for function in functions for each in function.body for place in source.places(each)}
    ordered = sorted(found, key=lambda place: (place.start, place.end, place.kind))
    lines = {line for each in functions for line in range(each.lineno, (each.end_lineno or each.lineno) + 1)}
    return drawn(name, text, ordered, len(lines), seed, lines_per_place)
