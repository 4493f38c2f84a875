"""depthsep: how deep does a network have to be?

`separate` makes the table, `build` one certified network, `verify` checks a
certificate, `inspect` and `survey` examine a network, `results` and `bound` show the
theorems.
Importing this package loads nothing else; names are loaded when they are used.
"""

from typing import TYPE_CHECKING

from depthsep._lazy import lazily

if TYPE_CHECKING:
    from depthsep._progress import listening as listening
    from depthsep._version import __version__ as __version__
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

__getattr__, __dir__, __all__ = lazily(__name__, globals())
