"""Text as LaTeX prints it."""

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{c: f"\\{c}" for c in "&%$#_"},
}


def escaped(text: str) -> str:
    """Text as LaTeX prints it."""
    return "".join(SPECIAL.get(c, c) for c in text)
