r"""Formulas in TeX as a terminal shows them: \frac{a + b}{2} is (a + b)/2."""

import re

TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|[{}^_]|\s+|[0-9]+(?:\.[0-9]+)?|.")
OPENS, CLOSES = "\x01", "\x02"  # no space follows the one, or precedes the other
GROUP = "\x03"  # in place of what parentheses or bars enclose
WORDS = {
    r"\,": "",
    r"\;": " ",
    r"\quad": " ",
    r"\left": "",
    r"\right": "",
    r"\ge": ">=",
    r"\le": "<=",
    r"\cdot": "*",
    r"\cdots": "...",
    r"\ldots": "...",
    r"\approx": "~",
    r"\infty": "inf",
    r"\Pr": "P",
    r"\ell": "l",
    r"\top": "T",
    r"\lvert": "|" + OPENS,
    r"\rvert": CLOSES + "|",
    r"\lVert": "||" + OPENS,
    r"\rVert": CLOSES + "||",
    r"\langle": "<" + OPENS,
    r"\rangle": CLOSES + ">",
    r"\lceil": "ceil(",
    r"\rceil": ")",
    r"\lfloor": "floor(",
    r"\rfloor": ")",
}
FRACTIONS = {r"\frac", r"\tfrac"}
VERBATIM = {r"\text", r"\mathrm", r"\mathbb", r"\mathcal", r"\operatorname"}
FUNCTIONS = {r"\ln", r"\sin", r"\cos", r"\cot"}
INNERMOST = re.compile(rf"\([^()]*\)|{OPENS}[^{OPENS}{CLOSES}]*{CLOSES}|<{GROUP}>")
SUM = re.compile(r"[-+=<>,]")
NAMES = "max|min|ln|sin|cos|P|Bin|erf|erfc|E"
ATOM = re.compile(rf"[\w.'|!]*|((?:{NAMES})\s+|[\w|]*){GROUP}[|!']*(_\w+)?")
POWER = re.compile(rf"({ATOM.pattern})(\^(\w*|{GROUP}))?")


def plain_formula(tex: str) -> str:
    """The formula in characters of a keyboard, with the parentheses it needs."""
    shown = _Reader(TOKEN.findall(tex)).until(None)
    shown = re.sub(r"\s+", " ", shown)
    shown = re.sub(rf"{OPENS} ?| ?{CLOSES}|(?<=[(\[]) | (?=[),;\]])", "", shown)
    return re.sub(rf"\b({NAMES}) (?=[(\[])", r"\1", shown)


class _Reader:
    """Reads tokens from left to right."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens[::-1]

    def until(self, end: str | None) -> str:
        """What stands before a closing brace, or all."""
        shown = ""
        while self.tokens and self.tokens[-1] != end:
            shown += self._next()
        if end is not None:
            self.tokens.pop()
        return shown

    def _next(self) -> str:
        """The next token with its arguments."""
        token = self.tokens.pop()
        if token == "{":
            return self.until("}")
        if token in VERBATIM:
            words = self._words()
            if token == r"\operatorname" and self._at_fraction():
                return f"{words}({self._argument()})"
            return words
        if token in FRACTIONS:
            top, below = self._argument(), self._argument()
            top = f"({top})" if SUM.search(_without_groups(top)) else top
            return f"{top}/{_closed(below, POWER)}"
        if token == r"\binom":
            return f"C({self._argument()}, {self._argument()})"
        if token == r"\sqrt":
            return f"sqrt({self._argument()})"
        if token == r"\dot":
            return f"{self._argument()}'"
        if token in FUNCTIONS and self._at_fraction():
            return f"{token[1:]}({self._argument()})"
        if token in ("^", "_"):
            return token + _closed(self._argument(), ATOM)
        return WORDS.get(token, token.removeprefix("\\"))

    def _at_fraction(self) -> bool:
        following = (t for t in reversed(self.tokens) if not t.isspace() and t != r"\,")
        return next(following, "") in FRACTIONS

    def _argument(self) -> str:
        """A group in braces, or one token."""
        while self.tokens[-1].isspace() or self.tokens[-1] == r"\,":
            self.tokens.pop()
        return self._next().strip()

    def _words(self) -> str:
        """Words in braces, as they are."""
        while self.tokens.pop() != "{":
            pass
        shown = ""
        while (token := self.tokens.pop()) != "}":
            shown += token
        return shown


def _closed(shown: str, bare: re.Pattern[str]) -> str:
    """In parentheses, unless it is one thing: 2^p and f(x) are, 2 f(x) is not."""
    is_one = shown in ("+", "-", "*") or bare.fullmatch(_without_groups(shown))
    return shown if is_one else f"({shown})"


def _without_groups(shown: str) -> str:
    """With one mark in place of all that a pair of parentheses or bars encloses."""
    while INNERMOST.search(shown):
        shown = INNERMOST.sub(GROUP, shown)
    return shown.strip()
