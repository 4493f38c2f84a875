"""Run the Python of the pages with figures of their own, and keep these.

    python docs/figures.py FOLDER [PAGE]

prints what docs/near_init.md, docs/learning.md, docs/examining.md, docs/studies.md and
docs/tables.md (or PAGE of them) print, and writes their figures into FOLDER as
near-NAME.svg, learn-NAME.svg, examine-NAME.svg, study-NAME.svg and table-NAME.svg
(docs/images holds them). Those of studies are drawn from the results stored in studies/.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PAGES = {
    "near_init.md": "near",
    "learning.md": "learn",
    "examining.md": "examine",
    "studies.md": "study",
    "tables.md": "table",
}


def main(folder: Path, page: str) -> None:
    """Run a page in a folder of its own, then move the figures."""
    text = (DOCS / page).read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    with tempfile.TemporaryDirectory() as scratch:
        os.symlink(DOCS.parent / "studies", Path(scratch) / "studies")
        os.chdir(scratch)
        exec(compile("\n".join(blocks), page, "exec"), {})
        for figure in sorted(Path(scratch).glob("*.svg")):
            (folder / f"{PAGES[page]}-{figure.name}").write_bytes(figure.read_bytes())
        os.chdir(folder)


if __name__ == "__main__":
    place = Path(sys.argv[1]).resolve()  # pages change the folder
    for chosen in sys.argv[2:] or PAGES:
        main(place, chosen)
