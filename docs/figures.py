"""Run the Python of docs/near_init.md and keep its figures.

    python docs/figures.py FOLDER

prints what the page prints and writes near-training.svg, near-distance.svg and
near-kernel.svg into FOLDER (docs/images holds them).
"""

import os
import re
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).resolve().parent / "near_init.md"


def main(folder: Path) -> None:
    """Run the page in a folder of its own, then move the figures."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    folder = folder.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        exec(compile("\n".join(blocks), PAGE.name, "exec"), {})
        for figure in sorted(Path(scratch).glob("*.svg")):
            (folder / f"near-{figure.name}").write_bytes(figure.read_bytes())
        os.chdir(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
