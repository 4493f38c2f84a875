"""The gallery: every picture with its question and the script that draws it."""

import importlib.util
import sys
import tempfile
from pathlib import Path

GALLERY = Path(__file__).resolve().parents[1] / "gallery"


def pages():
    """The page and its pictures."""
    make = _made_by()
    with tempfile.TemporaryDirectory() as folder:
        for entry in make.entries():
            drawn = make.make(entry.name, Path(folder))
            yield f"gallery/{drawn.name}", drawn.read_text("utf-8")
    intro = (
        "# Gallery\n\nWhat does the theory of depth look like? Every picture is drawn by the short "
        "script below it, which you can copy and change.\n\n"
    )
    yield "gallery/index.md", intro + "\n\n".join(map(_section, make.entries())) + "\n"


def _made_by():
    spec = importlib.util.spec_from_file_location("gallery_make", GALLERY / "make.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _section(entry) -> str:
    code = "\n".join("    " + line for line in entry.source.rstrip().split("\n"))
    return (
        f"## {entry.title}\n\n![{entry.title}]({entry.name}.svg)\n\n{entry.caption}\n\n"
        f'??? example "The script, {entry.name}.py"\n    ```python\n{code}\n    ```\n'
    )
