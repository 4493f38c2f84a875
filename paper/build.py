"""The article as PDF: python paper/build.py FILE.pdf

pandoc reads the Markdown and the references, typst sets the type; both come as wheels.
"""

import sys
import tempfile
from pathlib import Path

import pypandoc
import typst

HERE = Path(__file__).resolve().parent


def build(target: Path) -> Path:
    """Write the PDF. A reference that is not in paper.bib ends the build."""
    options = [
        "--standalone",
        "--citeproc",
        "--fail-if-warnings",
        f"--resource-path={HERE}",
    ]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "paper.typ"
        bibliography = f"--bibliography={HERE / 'paper.bib'}"
        pypandoc.convert_file(
            str(HERE / "paper.md"),
            "typst",
            outputfile=str(source),
            extra_args=[*options, bibliography],
        )
        typst.compile(str(source), output=str(target))
    return target


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("python paper/build.py FILE.pdf")
    print(f"wrote {build(Path(sys.argv[1]))}")
