"""The code in the README and the documentation runs and says what the page says."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_python_in_the_readme_runs(capsys):
    code = re.search(r"```python\n(.*?)```", PAGES[0].read_text(), re.DOTALL)
    assert code is not None
    exec(compile(code[1], "README.md", "exec"), {})
    assert "121" in capsys.readouterr().out


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(page):
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if "://" not in link:
            assert (page.parent / link).exists(), link


def test_the_table_in_the_readme_is_the_table_that_is_made():
    from depthsep import Problem, separate

    table = separate(Problem("square", accuracy="1e-6"), depths=range(2, 8))
    written = re.findall(
        r"^\| +(\d+) \| +(\d+) \| +(\d+) \|", PAGES[0].read_text(), re.M
    )
    made = [(r.depth, r.lower.width, r.upper.width) for r in table]
    assert [tuple(map(int, row)) for row in written] == made
