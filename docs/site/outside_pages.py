"""Files beside docs/ that pages link to: Markdown becomes a page, the rest a file."""

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "checker/README.md",
    "formal/README.md",
)
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)]*)?\))")
SHOWN = {".py": "python", ".toml": "toml", ".v": "coq", "": "text", ".cff": "yaml"}
HIDDEN = "---\nsearch: { exclude: true }\n---\n\n"
LONGEST = 2000  # lines of a file that is shown


def pages():
    """The pages, and every file that one of all pages names."""
    for name in PAGES:
        yield f"outside/{name}", (ROOT / name).read_text("utf-8")
    licence = (ROOT / "LICENSE").read_text("utf-8")
    yield "outside/LICENSE.md", f"# Licence\n\n```text\n{licence}\n```\n"
    for name in sorted(named_files()):
        yield f"outside/{name}.md", page_of(name)


def named_files() -> set[str]:
    """Files outside of docs/ that pages link to, as paths in the repository."""
    places = [*(ROOT / "docs").rglob("*.md"), *(ROOT / name for name in PAGES)]
    found = set()
    for place in places:
        for _, target, _ in LINK.findall(place.read_text("utf-8")):
            path = (place.parent / target).resolve()
            outside = path.is_relative_to(ROOT) and not path.is_relative_to(
                ROOT / "docs"
            )
            if "://" not in target and outside and path.suffix != ".md":
                found.add(str(path.relative_to(ROOT)))
    return found - {"LICENSE"}


def page_of(name: str) -> str:
    """A page that shows a file, or lists a folder; the search leaves it out."""
    path = ROOT / name
    if path.is_dir():
        names = sorted(p.name for p in path.iterdir() if not p.name.startswith("."))
        listed = "\n".join(f"* {n}" for n in names if n != "__pycache__")
        return f"{HIDDEN}# {name}/\n\nA folder of the source:\n\n{listed}\n"
    lines = path.read_text("utf-8").split("\n")
    body = "\n".join(lines[:LONGEST])
    kind = SHOWN.get(path.suffix, "text")
    return f"{HIDDEN}# {name}\n\n````{kind}\n{body}\n````\n"


def linked(markdown: str, uri: str) -> str:
    """The page's text with links to what lies outside of docs/ led into the site.

    Args:
        uri: the page's own path in the site.
    """
    return LINK.sub(lambda m: m[1] + _target(m[2], uri) + m[3], markdown)


def _target(target: str, uri: str) -> str:
    if "://" in target or target.startswith(("mailto:", "/")):
        return target
    home = posixpath.dirname(uri)
    if uri.startswith("outside/"):
        place = posixpath.normpath(posixpath.join(home.removeprefix("outside"), target))
        place = place.lstrip("/")
    else:
        place = posixpath.normpath(posixpath.join("docs", home, target))
    if place.startswith("docs/") or place == "docs":
        inside = posixpath.relpath(place, "docs")
        folder = (ROOT / place).is_dir()
        inside = FOLDERS.get(inside, inside) if folder else inside
        return posixpath.relpath(inside, home or ".")
    kept = place if place.endswith(".md") else f"{place}.md"
    return posixpath.relpath(f"outside/{kept}", home or ".")


FOLDERS = {"proofs": "theorems/index.md", "decisions": "outside/ARCHITECTURE.md"}
