"""Benchmarks for verifiers: properties whose answers are proved."""

from depthsep.interop.vnnlib._export import Exported as Exported
from depthsep.interop.vnnlib._export import export_vnnlib as export_vnnlib
from depthsep.interop.vnnlib._families import FAMILIES as FAMILIES
