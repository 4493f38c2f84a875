"""Small pieces of HTML."""

import re
from html import escape

from depthsep.reports.pages._style import THEME


def section(title: str, body: str) -> str:
    """A heading and what stands below it."""
    return f"<section>\n<h2>{escape(title)}</h2>\n{body}\n</section>"


def details(summary: str, body: str) -> str:
    """What opens on a click."""
    return f"<details>\n<summary>{escape(summary)}</summary>\n{body}\n</details>"


def formula(written: str) -> str:
    """A formula or a number, set apart from the words."""
    return f"<code>{escape(written)}</code>"


def figure(svg: bytes, name: str, label: str) -> str:
    """An SVG inside the page, in the page's colours, with ids of its own."""
    return f"<figure>\n{inline_svg(svg, name, label)}\n</figure>"


def inline_svg(svg: bytes, name: str, label: str) -> str:
    """The <svg> element alone; `name` goes in front of its ids."""
    text = svg.decode()
    text = text[text.index("<svg") :].strip()
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    text = re.sub(r"url\(#", f"url(#{name}-", text)
    for variable, light, _ in THEME:
        text = text.replace(light, f"var(--{variable})")
    return text.replace("<svg", f'<svg role="img" aria-label="{escape(label)}"', 1)
