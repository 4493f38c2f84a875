"""S-expressions, the syntax of VNN-LIB files, read without the library."""

import re

TOKEN = re.compile(r"\(|\)|[^\s()]+")


def tree(text):
    """Nested lists of an S-expression file; comments start with a semicolon."""
    lines = [line.split(";")[0] for line in text.splitlines()]
    stack = [[]]
    for token in TOKEN.findall(" ".join(lines)):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    (found,) = stack
    return found
