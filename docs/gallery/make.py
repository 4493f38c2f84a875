"""Make the pictures of the gallery: python docs/gallery/make.py FOLDER [NAME ...].

Every script of this folder whose name begins with two digits draws one picture. All run
in one process; each is saved as FOLDER/NAME.svg, the same bytes every time.
"""

import ast
import sys
import time
import warnings
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import matplotlib
from matplotlib import pyplot

HERE = Path(__file__).parent
PATTERN = "[0-9][0-9]_*.py"


@dataclass(frozen=True)
class Entry:
    """One picture of the gallery, as its script describes it.

    Attributes:
        name: of the script, without its ending.
        title: the first line of its docstring.
        caption: the rest of the docstring, on one line.
        tags: subjects, of the line "Tags: ..." at its end.
        source: the whole script.
    """

    name: str
    title: str
    caption: str
    tags: tuple[str, ...]
    source: str


def entries() -> list[Entry]:
    """All pictures in their order; the scripts are parsed, not run."""
    return [_entry(path) for path in sorted(HERE.glob(PATTERN))]


def _entry(path: Path) -> Entry:
    source = path.read_text("utf-8")
    title, _, rest = (ast.get_docstring(ast.parse(source)) or "").partition("\n")
    caption, _, tags = rest.partition("\nTags: ")
    subjects = tuple(tags.strip(" .\n").split(", "))
    return Entry(path.stem, title, " ".join(caption.split()), subjects, source)


def load(name: str) -> ModuleType:
    """The script of this name as a module; `style` is found beside it."""
    if str(HERE) not in sys.path:
        sys.path.insert(0, str(HERE))
    spec = spec_from_file_location(f"gallery_{name}", HERE / f"{name}.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make(name: str, folder: Path) -> Path:
    """Draw one picture and save it in the folder."""
    pyplot.switch_backend("Agg")
    path = folder / f"{name}.svg"
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # they would go unread
        figure = load(name).picture()
        with matplotlib.rc_context({"svg.hashsalt": name, "svg.fonttype": "path"}):
            figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    return path


def main(folder: Path, names: list[str]) -> int:
    """Make the pictures of these names, or all."""
    known = [entry.name for entry in entries()]
    if strange := [name for name in names if name not in known]:
        print(f"no picture {', '.join(strange)}; there are {', '.join(known)}")
        return 2
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or known:
        start = time.perf_counter()
        make(name, folder)
        print(f"{name:<32} {time.perf_counter() - start:6.2f} s", flush=True)
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("python docs/gallery/make.py FOLDER [NAME ...]")
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
