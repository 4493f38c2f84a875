"""depthsep: how deep does a network have to be?

`separate` makes the table, `build` one certified network, `facts` says what is true of
a network of yours, `inspect` counts its pieces and regions,
`certificate_of` certifies your own, `verify` checks a certificate, `results` and
`bound` show the theorems. What is refused raises a `DepthsepError`.
Importing this package loads nothing else; names are loaded when they are used.
"""

from typing import TYPE_CHECKING

from depthsep._lazy import lazily

if TYPE_CHECKING:
    from depthsep._errors import CertificationError as CertificationError
    from depthsep._errors import DepthsepError as DepthsepError
    from depthsep._errors import FileFormatError as FileFormatError
    from depthsep._errors import HypothesisError as HypothesisError
    from depthsep._errors import KindError as KindError
    from depthsep._errors import NotDefinedError as NotDefinedError
    from depthsep._errors import TooLargeError as TooLargeError
    from depthsep._errors import UndecidedError as UndecidedError
    from depthsep._progress import listening as listening
    from depthsep._version import __version__ as __version__
    from depthsep.analysis import facts as facts
    from depthsep.analysis import inspect as inspect
    from depthsep.interop import from_torch as from_torch
    from depthsep.interop import read_network as read_network
    from depthsep.interop import verify as verify
    from depthsep.interop import write_certificate as write_certificate
    from depthsep.laws import Segment as Segment
    from depthsep.laws import Uniform as Uniform
    from depthsep.networks import Network as Network
    from depthsep.problems import Problem as Problem
    from depthsep.reports import write_report as write_report
    from depthsep.separation import bound as bound
    from depthsep.separation import build as build
    from depthsep.separation import certificate_of as certificate_of
    from depthsep.separation import results as results
    from depthsep.separation import separate as separate
    from depthsep.surfaces import triangles as triangles
    from depthsep.tables import pieces as pieces

__getattr__, __dir__, __all__ = lazily(__name__, globals())
