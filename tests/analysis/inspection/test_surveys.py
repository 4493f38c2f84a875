"""Slices that processes share say what they say one after another."""

import pytest
from flint import fmpq

from depthsep._errors import OutOfTimeError
from depthsep.analysis import Plan, inspect
from depthsep.analysis.inspection import _surveys
from depthsep.analysis.inspection._inspection import Inspection
from depthsep.analysis.inspection._region_domains import region_domains
from depthsep.laws import Box, Segment
from support.nets import balanced_network

CUBE = Box.cube(Segment(-1, 1), 3)


@pytest.fixture
def shared(monkeypatch):
    """Processes for networks of any size."""
    monkeypatch.setattr(_surveys, "LARGE", 0)


def seen(jobs):
    network = balanced_network(0, 3, 6, 5, 1)
    plan = Plan(slices=3, lines=4, seconds=60, jobs=jobs)
    return inspect(network, CUBE, plan).to_json()


def test_processes_say_the_same(shared) -> None:
    assert seen(2) == seen(1)


def test_small_networks_need_no_processes(monkeypatch) -> None:
    def refused(*args):
        raise AssertionError("a process was started")

    monkeypatch.setattr(_surveys, "get_context", refused)
    assert seen(2)["slices"]


def test_a_process_that_is_gone_is_said(shared, monkeypatch) -> None:
    monkeypatch.setattr(_surveys, "GRACE", -60.0)  # as if nothing came back in time
    with pytest.raises(OutOfTimeError, match="a slice was not finished in time; allow"):
        list(_surveys._in_processes(_domains(), Plan(slices=3, jobs=2), 0.5))


def _domains():
    known = Inspection(
        network=balanced_network(0, 3, 6, 5, 1),
        where="",
        box=CUBE,
        output=0,
        norm="linf",
        level=fmpq(0),
    )
    return region_domains(known, CUBE, Plan(slices=3))
