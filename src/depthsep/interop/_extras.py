"""Libraries that are optional: loaded when needed, named when missing."""

from importlib import import_module
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
