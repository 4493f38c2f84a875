"""docs/blocks.py and docs/figures.py, which run the blocks of pages."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from support.places import ROOT


def script(name):
    """A script of docs/ as a module."""
    spec = spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


blocks, figures = script("blocks"), script("figures")


@pytest.fixture
def as_if_fresh(monkeypatch):
    """A page leaves nothing behind: settings, paths, modules of its own."""
    loaded, jax = set(sys.modules), sys.modules.get("jax")
    wide = jax is not None and jax.config.jax_enable_x64
    monkeypatch.setenv("COLUMNS", blocks.WIDTH)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield
    if "jax" in sys.modules:
        sys.modules["jax"].config.update("jax_enable_x64", wide)
    gone = [n for n in set(sys.modules) - loaded if not lasts(sys.modules[n])]
    for module in gone:
        del sys.modules[module]


def lasts(module):
    """Whether its file is still there; those of a page are not."""
    file = getattr(module, "__file__", None)
    return file is None or Path(file).exists()
