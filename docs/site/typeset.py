"""Plain text as HTML that Markdown leaves alone: powers and signs as they are printed."""

import re

from depthsep.reports.words._problem import raised

SIGNS = {"<=": "≤", ">=": "≥"}
POWER = re.compile(r"\^(\((?:[^()]|\([^()]*\))*\)|-?\w+)")
ROOT = re.compile(r"\bsqrt\((\w+)\)")
PI = re.compile(r"\bpi\b")


def typeset(text: str) -> str:
    """Such as x<sup>2</sup> for x^2, and π for pi."""
    for written, shown in SIGNS.items():
        text = text.replace(written, shown)
    text = PI.sub("π", ROOT.sub(r"√\1", text))
    parts, at = [], 0
    for power in POWER.finditer(text):
        inner = power[1]
        if inner.startswith("("):
            inner = inner[1:-1]
        parts += [plain(text[at : power.start()]), f"<sup>{plain(inner)}</sup>"]
        at = power.end()
    return "".join([*parts, plain(text[at:])])


def titled(text: str, markdown: str) -> str:
    """A page whose name in lists and tabs has raised digits, not marks."""
    name = raised(text).replace('"', "'")
    return f'---\ntitle: "{name}"\n---\n\n{markdown}'


def plain(text: str) -> str:
    """Signs that Markdown or HTML would read are written as numbers."""
    for sign in "&\\`*_<>[]|":
        text = text.replace(sign, f"@{ord(sign)};")
    return re.sub(r"@(\d+);", r"&#\1;", text)
