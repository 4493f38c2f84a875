"""Networks from and to files: ONNX, NumPy archives, JSON."""

from depthsep._files import write_atomically as write_atomically
from depthsep.interop.files._certificates import Verdict as Verdict
from depthsep.interop.files._certificates import certified_network as certified_network
from depthsep.interop.files._certificates import is_plain as is_plain
from depthsep.interop.files._certificates import onnx_reference as onnx_reference
from depthsep.interop.files._certificates import read_certificate as read_certificate
from depthsep.interop.files._certificates import verify as verify
from depthsep.interop.files._certificates import write_certificate as write_certificate
from depthsep.interop.files._npz import write_npz as write_npz
from depthsep.interop.files._read import chosen_output as chosen_output
from depthsep.interop.files._read import read_network as read_network
from depthsep.interop.libraries._equinox import from_equinox as from_equinox
from depthsep.interop.libraries._equinox import to_equinox as to_equinox
from depthsep.interop.libraries._pytree import from_pytree as from_pytree
from depthsep.interop.libraries._pytree import to_pytree as to_pytree
from depthsep.interop.libraries._sklearn import from_sklearn as from_sklearn
from depthsep.interop.libraries._sklearn import to_sklearn as to_sklearn
from depthsep.interop.libraries._torch import from_torch as from_torch
from depthsep.interop.libraries._torch import to_torch as to_torch
from depthsep.interop.onnx._read import onnx_head as onnx_head
from depthsep.interop.onnx._read import read_onnx as read_onnx
from depthsep.interop.onnx._write import IR_VERSION as IR_VERSION
from depthsep.interop.onnx._write import OPSET as OPSET
from depthsep.interop.onnx._write import write_onnx as write_onnx
