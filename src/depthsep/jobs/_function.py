"""A Python function of the user's as a job: `module:function`."""

import ast
import hashlib
import importlib.util
import inspect
import json
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType, UnionType
from typing import Union, get_args, get_origin, get_type_hints

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._syntax_tree import syntax_tree
from depthsep.jobs._fields import (
    REAL,
    REQUIRED,
    TEXT,
    TRUTH,
    WHOLE,
    Kind,
    Parameter,
)
from depthsep.jobs._job import Job, Result, Scalar


def _as_json(value: object) -> object:
    """The value as JSON holds it; keys are made of it."""
    return json.loads(json.dumps(value, allow_nan=False))


ANYTHING = Kind("numbers, strings, booleans, or lists of them", "", object, _as_json)
KINDS: dict[object, Kind] = {int: WHOLE, float: REAL, str: TEXT, bool: TRUTH}


def function_job(name: str, folder: Path) -> Job:
    """The job that a function of the user's is; imports its module.

    The module is a file in the study's folder, else one that is installed. The function
    takes named parameters, `seed` among them, and returns a dictionary of numbers and
    texts, or a `Result`.

    Raises:
        HypothesisError: it cannot be imported, or is not such a function.
    """
    module_name, _, function_name = name.partition(":")
    if not all(
        part.isidentifier() for part in (*module_name.split("."), function_name)
    ):
        raise HypothesisError(
            f"`job` is {name[:60]!r}; write module:function, both Python names"
        )
    module = _module(module_name, folder)
    function = getattr(module, function_name, None)
    if not inspect.isfunction(function) or function.__module__ != module.__name__:
        raise HypothesisError(
            f"{module_name} defines no function {function_name!r}; define it there"
        )
    return Job(
        name,
        _version(module, folder),
        _parameters(name, function),
        lambda parameters, seed: _result(name, function(**parameters, seed=seed)),
        (inspect.getdoc(function) or "").split("\n")[0].rstrip("."),
    )


def _module(name: str, folder: Path) -> ModuleType:
    local = _local(name, folder)
    if local is not None and name.split(".")[0] in sys.stdlib_module_names:
        raise HypothesisError(
            f"{name} clashes with a module of Python itself; rename your module"
        )
    if local is not None and not local.resolve().is_relative_to(folder.resolve()):
        raise HypothesisError(
            f"{local} leads out of the study's folder; copy the file into the folder"
        )
    try:
        if local is None:
            return import_module(name)
        return _loaded(name, local, folder)
    except ModuleNotFoundError as error:
        if error.name != name.split(".")[0] and error.name != name:
            raise HypothesisError(f"{name} needs {error.name}; install it") from error
        raise HypothesisError(
            f"there is no module {name!r}, neither in {folder} nor "
            "among the installed ones; write module:function"
        ) from None
    except HypothesisError:
        raise
    except (Exception, SystemExit) as error:
        line = str(error).splitlines()[:1]
        said = f"{type(error).__name__}: {line[0] if line else ''}"
        raise HypothesisError(f"{name} cannot be imported ({said}); fix it") from error


def _loaded(name: str, file: Path, folder: Path) -> ModuleType:
    """Load a file of the folder; it may import its neighbours."""
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


def _version(module: ModuleType, folder: Path) -> str:
    """A digest of its text, and of what it imports from the folder."""
    if module.__file__ is None:
        return "0"
    digest, seen, left = hashlib.sha256(), set(), [Path(module.__file__)]
    while left:
        file = left.pop()
        if file not in seen:
            seen.add(file)
            left += sorted(_neighbours(file, folder), reverse=True)
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _neighbours(file: Path, folder: Path) -> set[Path]:
    """Modules of the folder that a file imports, read off its text."""
    try:
        tree = syntax_tree(file.read_bytes())
    except (SyntaxError, ValueError):
        return set()
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    found = (_local(name, folder) for name in names)
    return {place for place in found if place is not None}


def _local(name: str, folder: Path) -> Path | None:
    """The file of a module in the folder; None if it has none there."""
    base = folder.joinpath(*name.split("."))
    choices = (base.with_suffix(".py"), base / "__init__.py")
    return next((p for p in choices if p.is_file()), None)


def _parameters(name: str, function: Callable[..., object]) -> tuple[Parameter, ...]:
    given = inspect.signature(function).parameters
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    if "seed" not in given or any(p.kind not in named for p in given.values()):
        raise HypothesisError(
            f"{name} takes the parameters ({', '.join(map(str, given.values()))}); it "
            "must be possible to give each of them by name, and one must be seed"
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
            REQUIRED if p.default is empty else _default(name, p),
            f"a parameter of {name}",
        )
        for p in given.values()
        if p.name != "seed"
    )


def _default(name: str, parameter: inspect.Parameter) -> object:
    try:
        return _as_json(parameter.default)
    except (TypeError, ValueError):
        raise HypothesisError(
            f"{name}: the default of {parameter.name} is neither a finite number, a "
            "string or a boolean, nor a list of them; give one of these"
        ) from None


def _kind(hint: object) -> Kind:
    if get_origin(hint) in (Union, UnionType) and type(None) in get_args(hint):
        known = [h for h in get_args(hint) if h is not type(None)]
        inner = _kind(known[0]) if len(known) == 1 else ANYTHING
        form = Union[inner.form, None]  # noqa: UP007  # pyrefly: ignore[not-a-type] (msgspec's)
        return Kind(inner.name, inner.short, form, inner.finish)
    return KINDS.get(hint, ANYTHING)


def _result(name: str, found: object) -> Result:
    if isinstance(found, Result):
        return found
    if not isinstance(found, Mapping):
        raise HypothesisError(
            f"{name} returned an object of type {type(found).__name__}; return a "
            "dictionary of numbers and strings, or a depthsep.studies.Result"
        )
    metrics = {}
    for key, value in found.items():
        value = value.item() if isinstance(value, np.generic) else value
        if not isinstance(key, str) or not isinstance(value, Scalar):
            raise HypothesisError(
                f"{name} returned the metric {str(key)[:40]!r}, which is an object of "
                f"type {type(value).__name__}; a metric must be a number, a string, a "
                "boolean or None, and its name must be a string"
            )
        metrics[key] = value
    return Result(metrics)
