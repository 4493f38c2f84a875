"""The gallery: a grid of pictures by subject, and a page for each with its script."""

import importlib.util
import sys
import tempfile
from functools import cache
from pathlib import Path

from typeset import titled, typeset

GALLERY = Path(__file__).resolve().parents[1] / "gallery"
INTRO = (
    "# Gallery\n\nWhat does the theory of depth look like? Choose a subject, then a picture: its page "
    "has the question, the answer, and the short script that draws it, which you can copy and change."
)


def pages():
    """The grid, every picture and its page."""
    make = _made_by()
    with tempfile.TemporaryDirectory() as folder:
        for entry in make.entries():
            drawn = make.make(entry.name, Path(folder))
            yield f"gallery/{drawn.name}", drawn.read_text("utf-8")
            yield f"gallery/{entry.name}.md", _page(entry)
    yield "gallery/index.md", _grid(make.entries())


def names() -> list[str]:
    """The pages in their order, without the grid."""
    return [f"gallery/{entry.name}.md" for entry in _made_by().entries()]


@cache
def _made_by():
    spec = importlib.util.spec_from_file_location("gallery_make", GALLERY / "make.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _grid(entries) -> str:
    """Cards, and a choice of subject that needs no script."""
    tags = sorted({tag for entry in entries for tag in entry.tags})
    choices = "".join(
        f'<label><input type="radio" name="subject" id="subject-{_key(tag)}">{tag}</label>'
        for tag in tags
    )
    rules = "".join(
        f".gallery:has(#subject-{_key(tag)}:checked) .card:not(.{_key(tag)})"
        "{display:none}"
        for tag in tags
    )
    cards = "\n\n".join(map(_card, entries))
    return (
        f'{INTRO}\n\n<style>{rules}</style>\n<div class="gallery" markdown>\n'
        '<fieldset class="subjects"><legend>Subject</legend>'
        '<label><input type="radio" name="subject" checked>all</label>'
        f'{choices}</fieldset>\n<div class="cards" markdown>\n\n{cards}\n\n</div>\n</div>\n'
    )


def _card(entry) -> str:
    subjects = " ".join(map(_key, entry.tags))
    return (
        f'<div class="card {subjects}" markdown>\n'
        f"[![{_words(entry)}]({entry.name}.svg)<br>{typeset(entry.title)}]({entry.name}.md)\n"
        f'<span class="tags">{", ".join(entry.tags)}</span>\n</div>'
    )


def _page(entry) -> str:
    return titled(
        entry.title,
        f"# {typeset(entry.title)}\n\n![{_words(entry)}]({entry.name}.svg)\n\n{typeset(entry.caption)}\n\n"
        f"*Subjects: {', '.join(entry.tags)}.*\n\n## The script\n\n"
        f'```python title="{entry.name}.py"\n{entry.source.rstrip()}\n```\n',
    )


def _words(entry) -> str:
    """The title for those who hear it: brackets would end it."""
    return entry.title.replace("[", "(").replace("]", ")")


def _key(tag: str) -> str:
    return tag.replace(" ", "-")
