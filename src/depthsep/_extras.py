"""Libraries that are optional: loaded when needed, named when missing."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from depthsep._errors import HypothesisError

_LEARN = ("jax", "jaxlib", "equinox", "jaxtyping", "optax", "diffrax")
HOMES = dict.fromkeys(_LEARN, "learn")
"""The extra that brings a library which whole packages are built on."""


def loaded(module: str) -> ModuleType:
    """A module of ours, which may rest on an optional library.

    Raises:
        HypothesisError: that library is not installed; says how to install it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        library = (error.name or "").split(".")[0]
        if library not in HOMES:
            raise
        raise _missing(library, HOMES[library]) from error


def needed(module: str, extra: str) -> ModuleType:
    """An optional library.

    Raises:
        HypothesisError: it is not installed; says how to install it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise _missing(module, extra) from error


def _missing(library: str, extra: str) -> HypothesisError:
    return HypothesisError(
        f"{library} is not installed; run: pip install 'depthsep[{extra}]'"
    )


def is_installed(module: str) -> bool:
    """Whether an optional library can be imported; does not import it."""
    return find_spec(module) is not None
