"""Libraries that are optional: loaded when needed, named when missing."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from depthsep._errors import HypothesisError


def needed(module: str, extra: str) -> ModuleType:
    """An optional library.

    Raises:
        HypothesisError: it is not installed; says how to install it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise HypothesisError(
            f"{module} is not installed; run: pip install 'depthsep[{extra}]'"
        ) from error


def is_installed(module: str) -> bool:
    """Whether an optional library can be imported; does not import it."""
    return find_spec(module) is not None
