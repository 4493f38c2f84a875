"""A bar in a notebook: after a second, under the cell that runs, and gone with it."""

import sys

import pytest

from depthsep._progress import followed, tell
from depthsep.reports import displays
from depthsep.reports.displays import _bar


class Handle:
    """What IPython gives to change an output."""

    def __init__(self, bundle):
        self.shown = [bundle]

    def update(self, bundle, raw):
        assert raw
        self.shown.append(bundle)


class Shell:
    """A kernel's shell, as far as bars know it."""

    def __init__(self):
        self.ends = []
        self.events = self

    def register(self, event, call):
        assert event == "post_run_cell"
        self.ends.append(call)


@pytest.fixture
def handles(monkeypatch):
    made = []

    def display(bundle):
        made.append(Handle(bundle))
        return made[-1]

    monkeypatch.setattr(_bar, "display", display)
    monkeypatch.setattr(_bar, "EVERY", 0)
    return made


def test_short_work_shows_nothing(handles):
    bar = _bar.Bar()
    bar(0.5, "width 3")
    bar.ended()
    assert handles == []


def test_long_work_shows_a_bar_that_goes_when_the_cell_ends(handles, monkeypatch):
    monkeypatch.setattr(_bar, "SILENT", 0)
    bar = _bar.Bar()
    bar(0.25, "width < 3")
    bar(0.5, "width < 4")
    bar.ended()
    (handle,) = handles
    assert [b["text/plain"] for b in handle.shown] == [
        "25% width < 3",
        "50% width < 4",
        "",
    ]
    assert "width &lt; 3" in handle.shown[0]["text/html"]
    bar(0.1, "the next cell")
    assert len(handles) == 2


def test_work_in_a_kernel_is_heard_by_its_bar(handles, monkeypatch):
    shell = Shell()
    monkeypatch.setattr(_bar, "SILENT", 0)
    monkeypatch.setattr(_bar, "get_ipython", lambda: shell)
    monkeypatch.setitem(sys.modules, "ipykernel", object())
    for _ in followed(range(2), 2, "steps"):
        tell(0.5, "inside")
    assert len(shell.ends) == 1 and displays.notebook_listener() is not None
    assert [b["text/plain"] for b in handles[0].shown][:2] == ["0% steps", "25% inside"]
    shell.ends[0]("result")
    assert handles[0].shown[-1]["text/html"] == ""
