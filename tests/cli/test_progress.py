"""Long work says how far it is, and terminals show it."""

import io
import sys
import time

from depthsep._progress import followed, listening, tell
from depthsep.cli import _progress as bars
from depthsep.separation import statement_named


class Terminal(io.StringIO):
    def isatty(self):
        return True


def heard(work):
    said = []
    with listening(lambda share, what: said.append((share, what))):
        work()
    return said


def test_steps_are_the_same_whether_somebody_listens_or_not():
    steps = list(range(2500))
    assert list(followed(steps, 2500, "steps")) == steps
    said = heard(lambda: list(followed(steps, 2500, "steps")))
    assert len(said) == 1250 and {what for _, what in said} == {"steps"}
    assert said == sorted(said) and said[0][0] == 0 and said[-1][0] < 1


def test_loops_inside_loops_share_the_step_they_are_in():
    def work():
        for _ in followed(range(2), 2, "outer"):
            list(followed(range(2), 2, "inner"))

    shares = [share for share, what in heard(work) if what == "inner"]
    assert shares == [0, 0.25, 0.5, 0.75]


def test_a_total_that_is_too_small_stays_within_one():
    assert max(s for s, _ in heard(lambda: list(followed(range(9), 3, "")))) == 1


def test_bounds_on_spheres_and_under_phi2_say_how_far_they_are():
    rank = statement_named("sphere-rank")
    given = {"dim": "3", "multiple": "500"}
    assert {what for _, what in heard(lambda: rank.evaluate_text(given))} == {
        "harmonics"
    }
    tubes = statement_named("radial-tubes")
    given = {"dim": "3", "frequency": "2", "accuracy": "1/10"}
    said = heard(lambda: tubes.evaluate_text(given))
    assert said and said[0] == (0, "Fourier masses")


def test_lines_of_inner_loops_say_which_step_they_are_of():
    def work():
        for _ in followed([2, 5], 2, lambda depth: f"depth {depth}"):
            tell(0.5, "harmonics")

    assert heard(work) == [
        (0, "depth 2"),
        (0.25, "depth 2: harmonics"),
        (0.5, "depth 5"),
        (0.75, "depth 5: harmonics"),
    ]


def test_a_terminal_shows_a_bar_for_long_work_and_nothing_for_short(monkeypatch):
    for silent, is_shown in ((0.0, True), (60.0, False)):
        monkeypatch.setattr(bars, "SILENT", silent)
        monkeypatch.setattr(sys, "stderr", Terminal())
        with bars.waiting("digging"):
            for _ in followed(range(3), 3, "deeper"):
                time.sleep(0.1)
        assert ("deeper" in sys.stderr.getvalue()) is is_shown


def test_a_pipe_gets_a_line_from_time_to_time(monkeypatch):
    monkeypatch.setattr(bars, "EVERY", 0.05)
    for seconds, is_shown in ((0.4, True), (0.0, False)):
        monkeypatch.setattr(sys, "stderr", io.StringIO())
        with bars.waiting("digging") as shown:
            tell(0.25, "deeper")
            time.sleep(seconds)
            with shown.aside():
                pass
        assert ("deeper: 25%, 0 s\n" in sys.stderr.getvalue()) is is_shown


def test_a_bar_makes_room_for_lines_and_comes_back(monkeypatch):
    monkeypatch.setattr(bars, "SILENT", 0.0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    with bars.waiting("digging") as shown:
        time.sleep(0.2)
        assert shown.bar.live.is_started
        with shown.aside():
            assert not shown.bar.live.is_started
        assert shown.bar.live.is_started
    assert not shown.bar.live.is_started
