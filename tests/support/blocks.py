"""docs/blocks.py and docs/figures.py, which run the blocks of pages."""

from importlib.util import module_from_spec, spec_from_file_location

from support.places import ROOT


def script(name):
    """A script of docs/ as a module."""
    spec = spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


blocks, figures = script("blocks"), script("figures")
