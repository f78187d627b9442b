"""A reader who checks an explanation with a pocket calculator: the sums written in a step's text."""

from __future__ import annotations

import ast
import re
from fractions import Fraction

# Numbers, brackets and the four operators; a sum needs at least one operator between two numbers.
_SUM = re.compile(r"[-(]*\(*\d[\d.]*\)*(?:\s*[-+×/]\s*\(*-?\(*\d[\d.]*\)*)+")
_OPERATIONS = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}
#: what a step with a rounding in it may differ by, and one whose figures are shown with four places
SHOWN = Fraction(1, 100)
ROUNDED = Fraction(1, 2) + SHOWN


def sums(text: str) -> list[Fraction]:
    """The value of each sum that the text writes out."""
    found = []
    for written in _SUM.findall(text):
        balanced = _balanced(written.strip())
        try:
            found.append(_value(ast.parse(balanced.replace("×", "*"), mode="eval").body))
        except (SyntaxError, ZeroDivisionError):
            continue
    return found


def _balanced(written: str) -> str:
    """Without brackets at the ends that have no partner."""
    while written.count("(") > written.count(")") and written.startswith("("):
        written = written[1:]
    while written.count(")") > written.count("(") and written.endswith(")"):
        written = written[:-1]
    return written


def _value(node: ast.expr) -> Fraction:
    if isinstance(node, ast.Constant):
        return Fraction(str(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return _OPERATIONS[type(node.op)](_value(node.left), _value(node.right))
    raise SyntaxError(ast.dump(node))


def fault(step) -> str:
    """Why a reader would not get the step's value from its text; empty if he would, or if the text
    writes no sum. K is chosen, not computed: its text gives the reason."""
    try:
        value = Fraction(step.value)
    except ValueError:
        return ""
    found = sums(step.text)
    rounded = step.label == "Rn" or any(word in step.text for word in ("whole", "round", "nearest", "half-"))
    allowed = ROUNDED if rounded else SHOWN
    if "multiple of 5" in step.text or "nearest 5" in step.text:
        allowed = Fraction(5, 2) + SHOWN
    if step.label.startswith("K") or not found or any(abs(each - value) <= allowed for each in found):
        return ""
    return f"{step.article} {step.label}: {step.value} from “{step.text}” ({[str(each) for each in found]})"
