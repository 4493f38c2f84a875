"""TeX in pages becomes MathML: no script, no fonts to fetch."""

import html
import re
from functools import cache

from latex2mathml.converter import convert

INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)
BLOCK = re.compile(r'<div class="arithmatex">\s*\\\[(.*?)\\\]\s*</div>', re.DOTALL)


@cache
def mathml(tex: str, display: str = "inline") -> str:
    """A formula in MathML, its TeX beside it for those who copy it."""
    tex = " ".join(tex.split())
    made = convert(tex, display=display)
    inner = re.fullmatch(r"(<math[^>]*>)(.*)(</math>)", made, re.DOTALL)
    if inner is None:
        raise ValueError(f"not a formula: {tex}")
    kept = f'<annotation encoding="application/x-tex" data-search-exclude>{html.escape(tex)}</annotation>'
    start, body, end = inner.groups()
    return f"{start}<semantics>{body}{kept}</semantics>{end}"


def shown(page: str) -> str:
    """The HTML of a page with its formulas."""
    page = INLINE.sub(lambda m: mathml(html.unescape(m[1])), page)
    return BLOCK.sub(lambda m: mathml(html.unescape(m[1]), "block"), page)
