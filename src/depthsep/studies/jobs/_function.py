"""A Python function of the user's as a job: `module:function`."""

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.studies.jobs import _base as b
from depthsep.studies.jobs._base import Job, Kind, Parameter, Result

READERS = {int: b.WHOLE, float: b.REAL, str: b.TEXT, bool: b.TRUTH}
SCALARS = bool | int | float | str | None
ANYTHING = Kind("a value", lambda value: value)


def function_job(name: str, folder: Path) -> Job:
    """The job that a function of the user's is; imports its module.

    The module is a file in the study's folder, else one that is installed. The function
    takes named parameters, `seed` among them, and returns a dictionary of numbers and
    texts, or a `Result`.

    Raises:
        HypothesisError: it cannot be imported, or is no such function.
    """
    module_name, _, function_name = name.partition(":")
    if not all(
        part.isidentifier() for part in (*module_name.split("."), function_name)
    ):
        raise HypothesisError(
            f"job is {name[:60]!r}; write module:function, both Python names"
        )
    module = _module(module_name, folder)
    function = getattr(module, function_name, None)
    if not inspect.isfunction(function) or function.__module__ != module.__name__:
        raise HypothesisError(
            f"{module_name} defines no function {function_name!r}; define it there"
        )
    return Job(
        name,
        _version(module),
        _parameters(name, function),
        lambda parameters, seed: _result(name, function(**parameters, seed=seed)),
        (inspect.getdoc(function) or "").split("\n")[0].rstrip("."),
    )


def _module(name: str, folder: Path) -> ModuleType:
    base = folder.joinpath(*name.split("."))
    local = next(
        (p for p in (base.with_suffix(".py"), base / "__init__.py") if p.is_file()),
        None,
    )
    if local is not None and not local.resolve().is_relative_to(folder.resolve()):
        raise HypothesisError(f"{local} leads out of the study's folder; copy it there")
    try:
        if local is None:
            return import_module(name)
        return _loaded(name, local, folder)
    except ModuleNotFoundError as error:
        if error.name != name.split(".")[0] and error.name != name:
            raise HypothesisError(f"{name} needs {error.name}; install it") from error
        raise HypothesisError(
            f"there is no module {name!r}: neither {base.with_suffix('.py')} nor an "
            "installed one"
        ) from None
    except HypothesisError:
        raise
    except Exception as error:
        line = str(error).splitlines()[:1]
        said = f"{type(error).__name__}: {line[0] if line else ''}"
        raise HypothesisError(f"{name} cannot be imported ({said}); mend it") from error


def _loaded(name: str, file: Path, folder: Path) -> ModuleType:
    """Load a file of the folder, which may import its neighbours."""
    place = str(folder.resolve())
    if place not in sys.path:
        sys.path.append(place)  # last, so that it hides nothing
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _version(module: ModuleType) -> str:
    """Of the source: another text, other trials."""
    if module.__file__ is None:
        return "0"
    return hashlib.sha256(Path(module.__file__).read_bytes()).hexdigest()[:16]


def _parameters(name: str, function: Callable[..., Any]) -> tuple[Parameter, ...]:
    given = inspect.signature(function).parameters
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    if "seed" not in given or any(p.kind not in named for p in given.values()):
        raise HypothesisError(
            f"{name} takes ({', '.join(map(str, given.values()))}); give it named "
            "parameters, one of them seed"
        )
    try:
        hints = get_type_hints(function)
    except Exception:  # annotations that name nothing
        hints = {}
    empty = inspect.Parameter.empty
    return tuple(
        Parameter(
            p.name,
            _kind(hints.get(p.name)),
            b.REQUIRED if p.default is empty else p.default,
            f"of {name}",
        )
        for p in given.values()
        if p.name != "seed"
    )


def _kind(hint: Any) -> Kind:
    if get_origin(hint) in (Union, UnionType) and type(None) in get_args(hint):
        known = [h for h in get_args(hint) if h is not type(None)]
        inner = _kind(known[0]) if len(known) == 1 else ANYTHING
        return Kind(inner.name, lambda v: None if v is None else inner.read(v))
    return READERS.get(hint, ANYTHING)


def _result(name: str, found: object) -> Result:
    if isinstance(found, Result):
        return found
    if not isinstance(found, Mapping):
        raise HypothesisError(
            f"{name} returned {type(found).__name__}; return a dictionary of numbers "
            "and texts, or a depthsep.studies.Result"
        )
    metrics = {}
    for key, value in found.items():
        value = value.item() if isinstance(value, np.generic) else value
        if not isinstance(key, str) or not isinstance(value, SCALARS):
            raise HypothesisError(
                f"{name} returned {str(key)[:40]!r}: {type(value).__name__}; metrics "
                "are numbers, texts, truths or None by name"
            )
        metrics[key] = value
    return Result(metrics)
