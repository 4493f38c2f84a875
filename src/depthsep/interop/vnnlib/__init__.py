"""Benchmarks for verifiers: properties whose answers are proved."""

from depthsep.interop.vnnlib._export import Exported as Exported
from depthsep.interop.vnnlib._export import export_vnnlib as export_vnnlib
from depthsep.interop.vnnlib._families import FAMILIES as FAMILIES
from depthsep.interop.vnnlib._instances import Instance as Instance
from depthsep.interop.vnnlib._instances import Property as Property
from depthsep.interop.vnnlib._instances import check_instance as check_instance
from depthsep.interop.vnnlib._text import counterexample_text as counterexample_text
from depthsep.interop.vnnlib._text import property_text as property_text
