"""Templates filled in: everything is escaped but the figures that we drew."""

import re
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from depthsep._files import lines_shown_safely
from depthsep.exact import text
from depthsep.reports.figures import _canvas as canvas
from depthsep.reports.words._numbers import compact, error_words, power_of_two
from depthsep.reports.words._problem import depths_words, raised, sentence

if TYPE_CHECKING:
    from jinja2 import Environment

# each colour of the figures, its name on the page and its counterpart in the dark
THEME = (
    ("certified", canvas.CERTIFIED, "#5cb3ea"),
    ("proven", canvas.PROVEN, "#f0904f"),
    ("learned", canvas.LEARNED, "#3ecf9f"),
    ("ink", canvas.INK, "#e3e7eb"),
    ("muted", canvas.MUTED, "#9aa5b1"),
    ("rule", canvas.RULE, "#3a424c"),
    ("paper", canvas.PAPER, "#15191e"),
    ("gap", canvas.GAP, "#252c35"),
    ("target", canvas.TARGET, "#5d6976"),
)
LIGHT = " ".join(f"--{name}: {light};" for name, light, _ in THEME)
DARK = " ".join(f"--{name}: {dark};" for name, _, dark in THEME)


def rendered(template: str, title: str, **facts: object) -> str:
    """A page that loads nothing, from a template in ``templates`` and what it shows."""
    page = _environment().get_template(template)
    return page.render(title=title, light=LIGHT, dark=DARK, **facts)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("depthsep.reports.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_harmless,
    )
    own = (compact, error_words, power_of_two, depths_words, raised)
    made.filters |= {f.__name__: f for f in (*own, sentence)} | {"exact": text}
    return made


def _harmless(value: object) -> object:
    """Texts of others without control characters; what we drew as it is."""
    return lines_shown_safely(value) if type(value) is str else value


def inline_svg(svg: bytes, name: str, label: str) -> str:
    """The <svg> element alone, in the page's colours; `name` goes before its ids."""
    text = svg.decode()
    text = text[text.index("<svg") :].strip()
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    text = re.sub(r"url\(#", f"url(#{name}-", text)
    for variable, light, _ in THEME:
        text = text.replace(light, f"var(--{variable})")
    return text.replace("<svg", f'<svg role="img" aria-label="{escape(label)}"', 1)
