"""docs/blocks.py, which runs the blocks of pages."""

from importlib.util import module_from_spec, spec_from_file_location

from support.places import ROOT

SPEC = spec_from_file_location("blocks", ROOT / "docs" / "blocks.py")
blocks = module_from_spec(SPEC)
SPEC.loader.exec_module(blocks)
