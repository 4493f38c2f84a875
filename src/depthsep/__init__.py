"""depthsep: how deep does a network have to be?

`separate` makes the table, `build` one certified network, `verify` checks a
certificate, `inspect` and `survey` examine a network, `results` and `bound` show the
theorems.
Importing this package loads nothing else; names are loaded when they are used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from depthsep.analysis import inspect as inspect
    from depthsep.analysis import survey as survey
    from depthsep.interop import from_torch as from_torch
    from depthsep.interop import read_network as read_network
    from depthsep.interop import verify as verify
    from depthsep.laws import Uniform as Uniform
    from depthsep.networks import Network as Network
    from depthsep.problems import Problem as Problem
    from depthsep.reports import write_report as write_report
    from depthsep.separation import bound as bound
    from depthsep.separation import build as build
    from depthsep.separation import results as results
    from depthsep.separation import separate as separate

_HOMES = {
    "Network": "networks",
    "Problem": "problems",
    "Uniform": "laws",
    "bound": "separation",
    "build": "separation",
    "from_torch": "interop",
    "inspect": "analysis",
    "read_network": "interop",
    "results": "separation",
    "separate": "separation",
    "survey": "analysis",
    "verify": "interop",
    "write_report": "reports",
}

__all__ = [
    "Network",
    "Problem",
    "Uniform",
    "bound",
    "build",
    "from_torch",
    "inspect",
    "read_network",
    "results",
    "separate",
    "survey",
    "verify",
    "write_report",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"depthsep.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'depthsep' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
