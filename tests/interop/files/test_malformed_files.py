"""Files from strangers: a finite network, or one line of refusal, whatever they hold.

Nothing is unpickled, allocated on a header's word or read outside the folder. More
fuzzing runs with `DEPTHSEP_DRAWS=40`.
"""

import ast
import contextlib
import copy
import hashlib
import io
import json
import math
import os
import pickle
import struct
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from onnx import ModelProto, TensorProto, helper, numpy_helper

from depthsep import DepthsepError, FileFormatError
from depthsep._files import with_remedy
from depthsep.cli import main
from depthsep.interop import read_network, read_onnx, verify, write_onnx
from depthsep.networks import THRESHOLD, Network, network_digest, network_to_json

EXAMPLES = 200 * int(os.environ.get("DEPTHSEP_DRAWS", "1"))
SUFFIXES = ("onnx", "npz", "json")
DOUBLE = TensorProto.DOUBLE
node = helper.make_node


def tent(**options):
    """x -> relu(x) - 2 relu(x - 1/2), or with other units."""
    return Network.from_arrays([[1.0], [1]], [0, -0.5], [[1.0, -2]], [0.0], **options)


def floats(values):
    return np.array(values, dtype=np.float64)


def integers(values):
    return np.array(values, dtype=np.int64)


# what has to hold


def outcome(path, reader=read_network):
    """The network, or the refusal, one line with a remedy; a warning is neither."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = reader(path)
        except DepthsepError as error:
            found = str(error)
            assert found.startswith(f"{path}: ") and found.isprintable()
            assert "; " in found  # then comes what to do
            assert len(found) < 1000 + len(str(path))
    assert not caught
    return found


def assert_finite(network):
    for layer in network.layers:
        for array in (layer.weight, layer.bias):
            assert array.size
            assert array.dtype == object or np.isfinite(array).all()


def read_or_refused(path):
    found = outcome(path)
    if isinstance(found, Network):
        assert_finite(found)


def refused(path, reader=read_network):
    found = outcome(path, reader)
    assert isinstance(found, str)
    return found


def command(*arguments):
    """Exit code and stderr of the command line, which must not show a traceback."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as stopped,
    ):
        main([str(a) for a in arguments])
    return stopped.value.code, err.getvalue()


def assert_refused_by_commands(path):
    for name in ("inspect", "verify"):
        code, err = command(name, path)
        assert code == 2 and err.startswith("depthsep: ") and err.count("\n") == 1


# files that are none


def fifo(path):
    os.mkfifo(path)


def device(path):
    path.symlink_to("/dev/zero")


def loop(path):
    path.symlink_to(path.name)


NO_FILES = {
    "folder": (Path.mkdir, "not a regular file"),
    "pipe": (fifo, "not a regular file"),
    "device": (device, "not a regular file"),
    "loop": (loop, "Too many levels"),
    "link to nothing": (lambda path: path.symlink_to("none"), "No such file"),
}
needs_pipes = pytest.mark.skipif(
    not hasattr(os, "mkfifo"), reason="this system has no named pipes"
)


@needs_pipes
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("kind", NO_FILES)
def test_what_is_no_file_is_refused_unopened(tmp_path, kind, suffix):
    make, message = NO_FILES[kind]
    path = tmp_path / f"net.{suffix}"
    make(path)
    assert message in refused(path)
    assert_refused_by_commands(path)


GARBAGE = {
    "nothing": b"",
    "zeros": bytes(1000),
    "all bytes": bytes(range(256)),
    "Latin-1": '{"layers": "é"}'.encode("latin-1"),
    "an end of central directory": b"PK\x05\x06" + bytes(18),
    "a zip file's start": b"PK\x03\x04" + bytes(60),
}


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("content", GARBAGE)
def test_garbage_is_refused_by_every_reader(tmp_path, content, suffix):
    path = tmp_path / f"net.{suffix}"
    path.write_bytes(GARBAGE[content])
    refused(path)
    assert_refused_by_commands(path)


class Trap:
    """Unpickling this creates a file."""

    def __init__(self, target):
        self.target = str(target)

    def __reduce__(self):
        return (open, (self.target, "w"))


def object_array(trap):
    stream = io.BytesIO()
    np.save(stream, np.array([trap, 1], dtype=object))
    return stream.getvalue()


def torch_file(trap):
    """A zip file of a pickle and raw numbers, as torch saves it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("net/data.pkl", pickle.dumps({"W1": trap}, 2))
        archive.writestr("net/data/0", bytes(16))
    return stream.getvalue()


PICKLES = {
    **{f"protocol {k}": lambda t, k=k: pickle.dumps(t, k) for k in range(6)},
    "an object array": object_array,
    "a torch file": torch_file,
}


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("kind", PICKLES)
def test_pickles_under_any_name_are_never_loaded(tmp_path, kind, suffix):
    path, trace = tmp_path / f"net.{suffix}", tmp_path / "trace"
    path.write_bytes(PICKLES[kind](Trap(trace)))
    refused(path)
    assert_refused_by_commands(path)
    assert not trace.exists()


# small files that ask for much


def saved(path, nodes, weights=(), *, x=("batch", 1)):
    path.write_bytes(model_of(nodes, weights, x).SerializeToString())


def model_of(nodes, weights=(), x=("batch", 1)):
    """An ONNX model; its last node makes the output."""
    tensors = [
        w if isinstance(w, TensorProto) else numpy_helper.from_array(w, name)
        for name, w in dict(weights).items()
    ]
    ends = [
        helper.make_tensor_value_info(name, DOUBLE, shape)
        for name, shape in (("x", x), (nodes[-1].output[0], None))
    ]
    graph = helper.make_graph(nodes, "odd", ends[:1], ends[1:], tensors)
    opsets = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def claimed(kind, *dims):
    """A tensor of no bytes that claims to be large."""
    return TensorProto(name="c", data_type=kind, dims=dims, raw_data=b"")


def added(path, tensor):
    saved(path, [node("Add", ["x", "c"], ["y"])], {"c": tensor})


def squares(path, operator, shape, count=60):
    """c -> c * c again and again: each number is twice as long as the one before."""
    steps = [node(operator, [f"c{k}"] * 2, [f"c{k + 1}"]) for k in range(count)]
    last = node(operator, ["x", f"c{count}"], ["y"])
    start = np.random.default_rng(0).normal(size=shape)
    saved(path, [*steps, last], {"c0": start}, x=("batch", shape[0]))


def branches(count, weights):
    """`count` different hidden layers side by side, all reading x."""
    nodes = []
    for k in range(count):
        weights[f"c{k}"] = floats(2.0**k)
        nodes.append(node("Mul", ["x", f"c{k}"], [f"m{k}"]))
        nodes.append(node("Relu", [f"m{k}"], [f"h{k}"]))
    return nodes


def joined_branches(path):
    nodes = branches(300, weights := {})
    names = [f"h{k}" for k in range(300)]
    nodes.append(node("Concat", names, ["y"], axis=1))
    saved(path, nodes, weights, x=("batch", 4096))


def spread_branches(path):
    weights = {"a": np.zeros((2048, 1)), "b": np.zeros((1, 2048)), "s0": floats(0)}
    nodes = branches(100, weights)
    nodes += [node("Add", [f"h{k}", f"s{k}"], [f"s{k + 1}"]) for k in range(100)]
    nodes += [node("Add", ["a", "b"], ["c"]), node("Add", ["c", "s100"], ["y"])]
    saved(path, nodes, weights, x=(1, 1))


def long_skips(path):
    """Every layer reaches the output, so layer k carries those before it."""
    nodes = [node("Relu", ["x"], ["h0"])]
    nodes += [node("Relu", [f"h{k}"], [f"h{k + 1}"]) for k in range(900)]
    names = [f"h{k}" for k in range(900)]
    saved(path, [*nodes, node("Concat", names, ["y"], axis=1)], x=("batch", 8))


def many_positions(path):
    weights = {"a": np.ones((2048, 1)), "b": np.ones((1, 2048))}
    weights |= {"d": integers([-1, 1]), "w": floats([[2.0]])}
    nodes = [
        node("Add", ["a", "b"], ["s"]),
        node("Add", ["x", "s"], ["t"]),
        node("Reshape", ["t", "d"], ["r"]),
        node("MatMul", ["r", "w"], ["y"]),
    ]
    saved(path, nodes, weights, x=(1, 1))


def nested(path):
    """Graphs within graphs."""
    inner = b""
    for _ in range(2000):
        for tag in b"\x32\x2a\x0a":  # the graph of an attribute of a node of a graph
            inner = bytes([tag]) + varint(len(inner)) + inner
    path.write_bytes(b"\x3a" + varint(len(inner)) + inner)


def varint(n):
    out = bytearray()
    while n >= 128:
        out.append(n % 128 + 128)
        n //= 128
    return bytes([*out, n])


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def npy_of(header, data=b"", *, version=(1, 0), claim=None):
    """An .npy member with any header, which may claim another length than it has."""
    length = len(header) if claim is None else claim
    form = "<H" if version == (1, 0) else "<I"
    start = b"\x93NUMPY" + bytes(version) + struct.pack(form, length)
    return start + header.encode("latin-1") + data


def described(descr, shape):
    return f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}, }}\n"


ONE = {"W1.npy": npy(np.ones((1, 1))), "b1.npy": npy(np.zeros(1))}


def archive(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method, compresslevel=1) as out:
        for name, data in (ONE | members).items():
            out.writestr(name, data)


def unpacking(path, header, count):
    """An archive whose W1 unpacks to `count` zero bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        with out.open("W1.npy", "w") as member:
            member.write(npy_of(header))
            for _ in range(count >> 20):
                member.write(bytes(1 << 20))
        out.writestr("b1.npy", ONE["b1.npy"])


def many_members(path):
    with zipfile.ZipFile(path, "w") as out:
        for k in range(1, 70_000):
            out.writestr(f"W{k}.npy", b"")


def archive_in_archive(path):
    inner = io.BytesIO()
    archive(inner, {})
    archive(path, {"W1.npy": inner.getvalue()})


def json_network(path, weight="[[1.0]]", bias="[0.0]", activations="[]"):
    layer = f'{{"weight": {weight}, "bias": {bias}}}'
    path.write_text(f'{{"layers": [{layer}], "activations": {activations}}}')


def long_rationals(path):
    json_network(path, "[" + ",".join(['["1e4000/1e-4000"]'] * 200_000) + "]")


MB = 1 << 20
BYTES = described("|u1", (1, 256 * MB))
BOMBS = {
    "4 GiB tensor.onnx": (
        lambda p: added(p, claimed(DOUBLE, 1 << 29)),
        "above the limit",
    ),
    "overflowing dims.onnx": (
        lambda p: added(p, claimed(DOUBLE, 1 << 62, 1 << 62)),
        "above the limit",
    ),
    "empty of huge dims.onnx": (
        lambda p: added(p, claimed(DOUBLE, 0, 1 << 62, 1 << 62)),
        "too big",
    ),
    "many dims.onnx": (
        lambda p: added(p, claimed(DOUBLE, *[1] * 999)),
        "more than 16 axes",
    ),
    "squares.onnx": (lambda p: squares(p, "Mul", (1,)), "than 65536 bits"),
    "matrix squares.onnx": (
        lambda p: squares(p, "MatMul", (4, 4)),
        "than 65536 bits",
    ),
    "joined branches.onnx": (joined_branches, "needs a matrix of shape"),
    "spread branches.onnx": (spread_branches, "needs a matrix of shape"),
    "long skips.onnx": (long_skips, "to carry skip connections"),
    "positions.onnx": (many_positions, "4194304 positions"),
    "nested.onnx": (nested, "damaged"),
    "bytes.npz": (lambda p: unpacking(p, BYTES, 256 * MB), "numbers, above the limit"),
    "lying header.npz": (
        lambda p: archive(p, {"W1.npy": npy_of(described("<f8", (1 << 60, 1)))}),
        "but has 88",
    ),
    "entries of no bytes.npz": (
        lambda p: archive(p, {"activations.npy": npy_of(described("|S0", (1 << 30,)))}),
        "is empty",
    ),
    "length of a header.npz": (
        lambda p: archive(
            p, {"W1.npy": npy_of(" ", version=(2, 0), claim=(1 << 32) - 1)}
        ),
        "expected 4294967295 bytes",
    ),
    "names.npz": (
        lambda p: archive(p, {"activations.npy": npy(np.zeros(8 * MB, "S1"))}),
        "it must be 0",
    ),
    "members.npz": (many_members, "the archive states that there are 65535"),
    "nested.npz": (archive_in_archive, "damaged"),
    "deep.json": (lambda p: p.write_text("[" * 1_000_000), "recursion"),
    "deep object.json": (lambda p: p.write_text('{"a":' * 300_000), "recursion"),
    "long rationals.json": (long_rationals, "rational weights need"),
    "wide integer.json": (lambda p: json_network(p, "9" * 1_000_000), "digits"),
}
LIMITED = """
import resource, sys, time
from depthsep import FileFormatError
from depthsep.interop import read_network
pages = int(open("/proc/self/statm").read().split()[0])
most = pages * resource.getpagesize() + (int(sys.argv[1]) << 20)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
for path in sys.argv[2:]:
    start = time.process_time()
    try:
        said = repr(read_network(path))
    except FileFormatError as error:
        said = str(error)
    print(round(time.process_time() - start, 1), said, flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_small_files_take_neither_much_memory_nor_time(tmp_path):
    """One process of little memory reads them all."""
    paths = [tmp_path / name for name in BOMBS]
    for path, (make, _) in zip(paths, BOMBS.values(), strict=True):
        make(path)
    run = [sys.executable, "-c", LIMITED, "1500", *map(str, paths)]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        run, capture_output=True, text=True, env=environment, timeout=300
    )
    assert not done.stderr
    for (name, bomb), line in zip(BOMBS.items(), done.stdout.splitlines(), strict=True):
        seconds, said = line.split(" ", 1)
        assert bomb[1] in said and "memory than there is" not in said, name
        assert float(seconds) < 30, name


# ONNX models


def test_graphs_within_graphs_are_refused_by_operator(tmp_path):
    inner = helper.make_graph([], "inner", [], [])
    for _ in range(10):
        branch = node("If", ["x"], ["y"], then_branch=inner)
        inner = helper.make_graph([branch], "outer", [], [])
    path = tmp_path / "net.onnx"
    saved(path, [node("If", ["x"], ["y"], then_branch=inner)])
    assert "'If' is not supported" in refused(path)


def test_cycles_through_several_nodes_are_refused(tmp_path):
    path = tmp_path / "net.onnx"
    steps = [node("Add", ["x", "c"], ["a"]), node("Relu", ["a"], ["b"])]
    saved(path, [*steps, node("Identity", ["b"], ["c"])])
    assert "has a cycle through 'c'" in refused(path)


@pytest.mark.parametrize(
    "shape",
    [("a", "b"), (0, 3), ("batch", 0), (-1, 3), (1, 1 << 62), (1 << 31, 1 << 31)],
    ids=str,
)
def test_inputs_of_open_empty_or_huge_shapes_are_refused(tmp_path, shape):
    path = tmp_path / "net.onnx"
    saved(path, [node("Relu", ["x"], ["y"])], x=shape)
    assert "dimensions" in refused(path) or "the limit is" in refused(path)


@pytest.mark.parametrize("shape", [(0, 1), (1, 0), (0,), (0, 0)], ids=str)
def test_layers_without_units_or_inputs_are_refused(tmp_path, shape):
    path = tmp_path / "net.onnx"
    saved(path, [node("Gemm", ["x", "W"], ["y"])], {"W": np.zeros(shape)})
    assert "has an empty tensor" in refused(path)


def multiplied(path, weight, *casts):
    """x times a weight after casts; the network's one weight."""
    names = [f"c{k}" for k in range(len(casts) + 1)]
    nodes = [
        node("Cast", [a], [b], to=kind)
        for a, b, kind in zip(names, names[1:], casts, strict=False)
    ]
    saved(path, [*nodes, node("Mul", ["x", names[-1]], ["y"])], {"c0": weight})
    return path


def test_truths_are_0_or_1_whatever_byte_or_number_holds_them(tmp_path):
    path = tmp_path / "net.onnx"
    truth = TensorProto(name="c0", data_type=TensorProto.BOOL, raw_data=b"\x05")
    five = integers(5)
    for weight, casts in ((truth, [DOUBLE]), (five, [TensorProto.BOOL, DOUBLE])):
        network = read_onnx(multiplied(path, weight, *casts))
        assert network.layers[0].weight.tolist() == [[1.0]]


def test_integers_that_a_cast_would_wrap_are_refused(tmp_path):
    path = tmp_path / "net.onnx"
    multiplied(path, integers((1 << 32) + 1), TensorProto.INT32, DOUBLE)
    assert "casts integers that do not fit into INT32" in refused(path)
    multiplied(path, integers(-7), TensorProto.INT32, DOUBLE)
    assert read_onnx(path)((1,)) == (-7,)


def test_an_axis_inserted_twice_is_refused_by_node(tmp_path):
    path = tmp_path / "net.onnx"
    saved(path, [node("Unsqueeze", ["x", "a"], ["y"])], {"a": integers([0, 0])})
    assert "(Unsqueeze) inserts an axis twice" in refused(path)


def test_what_a_message_quotes_is_shortened(tmp_path):
    path = tmp_path / "net.onnx"
    shape = integers([1] * 4000)
    saved(path, [node("Reshape", ["x", "d"], ["y"])], {"d": shape})
    assert refused(path).endswith("the batch axis must stay apart from the features")


@pytest.mark.parametrize("axes", [[0] * 4096, [64], [-(1 << 63)], [(1 << 63) - 1]])
@pytest.mark.parametrize("operator", ["Squeeze", "Unsqueeze", "Reshape"])
def test_absurd_axes_are_refused(tmp_path, operator, axes):
    path = tmp_path / "net.onnx"
    for start in ([], [node("Shape", ["x"], ["s"])]):
        last = node(operator, ["s" if start else "x", "a"], ["y"])
        saved(path, [*start, last], {"a": integers(axes)})
        refused(path)


def with_side_file(path, location, **entries):
    tensor = TensorProto(name="c", data_type=DOUBLE, dims=[1])
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {"location": location, **entries}.items():
        tensor.external_data.add(key=key, value=value)
    added(path, tensor)


@needs_pipes
@pytest.mark.parametrize(
    "make", [fifo, device, loop, Path.mkdir], ids=["pipe", "device", "loop", "folder"]
)
def test_side_files_that_are_no_files_are_never_opened(tmp_path, make):
    path = tmp_path / "net.onnx"
    make(tmp_path / "w.bin")
    with_side_file(path, "w.bin")
    refused(path)


@pytest.mark.parametrize(
    "location",
    [
        "w.bin/../../secret",
        "./../secret",
        "//etc/passwd",
        "~/secret",
        "file:///etc/passwd",
        "..",
        ".",
        "a" * 5000,
        "a\nb\x1b[2J",
    ],
)
def test_odd_places_of_side_files_are_refused_on_one_line(tmp_path, location):
    path = tmp_path / "net.onnx"
    with_side_file(path, location)
    refused(path)


@pytest.mark.parametrize("key", ["offset", "length"])
@pytest.mark.parametrize("value", ["9" * 4000, "-1", "1e3", "0x8", "9" * 5000])
def test_odd_bounds_of_side_files_are_refused(tmp_path, key, value):
    path = tmp_path / "net.onnx"
    (tmp_path / "w.bin").write_bytes(bytes(8))
    with_side_file(path, "w.bin", **{key: value})
    refused(path)


# archives


HEADERS = {
    "no dictionary": "[[]]",
    "a call": "__import__('os').getcwd()",
    "nested signs": "-" * 9000 + "1",
    "nested brackets": "(" * 9000,
    "a negative shape": described("<f8", (-1, -1)),
    "a shape of truths": described("<f8", (True, True)),
    "a shape in words": described("<f8", ("1", "1")),
    "a long shape": described("<f8", (9,) * 3000),
    "a long dimension": described("<f8", (1, 1)).replace("1,", "0x" + "f" * 7000 + ","),
    "no type": described("nonsense", (1, 1)),
    "a broken escape": described("<f8", (1, 1)).replace("<f8", "<f8\\d"),
    "a type of objects": described("|O", (1, 1)),
    "hidden objects": described([("a", "<f8"), ("b", "|O")], (1, 1)),
    "records": described([("a", "<f4"), ("b", "<f4")], (1, 1)),
    "an array as type": described(("<f8", (2, 1)), (1, 1)),
    "times": described("<M8[ns]", (1, 1)),
    "long doubles": described("<f16", (1, 1)),
    "entries of no bytes": described("|V0", (1 << 40, 1)),
    "two lines": "a\n\nb",
}


@pytest.mark.parametrize("name", HEADERS)
def test_headers_of_arrays_are_never_believed(tmp_path, name):
    path = tmp_path / "net.npz"
    for version in ((1, 0), (2, 0)):
        member = npy_of(HEADERS[name], bytes(8), version=version)
        archive(path, {"W1.npy": member})
        refused(path)


@pytest.mark.parametrize("version", [(0, 0), (1, 1), (3, 0), (255, 255)])
def test_other_versions_of_arrays_are_refused(tmp_path, version):
    path = tmp_path / "net.npz"
    member = npy_of(described("<f8", (1, 1)), bytes(8), version=version)
    archive(path, {"W1.npy": member})
    refused(path)


def test_headers_that_python_2_wrote_are_read_without_a_warning(tmp_path):
    path = tmp_path / "net.npz"
    header = described("<f8", (1, 1)).replace("1,", "1L,")
    archive(path, {"W1.npy": npy_of(header, struct.pack("<d", 3.0))})
    assert outcome(path) == Network.from_arrays([[3.0]], [0.0])


@pytest.mark.parametrize(
    "name",
    ["../W1.npy", "/W1.npy", "W1.npy/", "W1.npy\n", "W0.npy", "W9999999.npy", "w1.npy"],
)
def test_other_names_in_an_archive_are_refused(tmp_path, name):
    path = tmp_path / "net.npz"
    archive(path, {name: b""})
    assert "a network holds only W1, b1, W2, b2" in refused(path)


def test_encrypted_members_are_refused(tmp_path):
    path = tmp_path / "net.npz"
    archive(path, {})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    assert "encrypted" in refused(path)


# JSON


@pytest.mark.parametrize(
    "weight",
    [
        *("NaN", "Infinity", "1e400", "true", "null", "{}", '""', '"nan"', '"1/0"'),
        *('"1e99999"', '"0x10"', '"1/2/3"', '"1_0"', '"' + "9" * 30_000 + '"', "[]"),
    ],
    ids=lambda w: w[:12],
)
def test_weights_that_are_no_finite_numbers_are_refused(tmp_path, weight):
    path = tmp_path / "net.json"
    json_network(path, f"[[{weight}]]", "[0]")
    refused(path)
    json_network(path, f"[[{weight}, 1.0]]", "[0.0]")
    refused(path)


@pytest.mark.parametrize(
    ("weight", "bias"),
    [
        ("[]", "[]"),
        ("[[]]", "[0.0]"),
        ("[[1.0]]", "[]"),
        ("[[1.0], [1.0, 2.0]]", "[0.0, 0.0]"),
        ("[[[1.0]]]", "[0.0]"),
        ("1.0", "[0.0]"),
        ('{"0": [1.0]}', "[0.0]"),
        ("[" * 500 + "]" * 500, "[0.0]"),
    ],
    ids=lambda w: w[:12],
)
def test_weights_that_are_no_matrix_are_refused(tmp_path, weight, bias):
    path = tmp_path / "net.json"
    json_network(path, weight, bias)
    refused(path)


@pytest.mark.parametrize(
    "name",
    ['"\\ud800"', '"a\\n\\u001b[2J"', "5", "null", "[[[]]]", '"' + "a" * 9999 + '"'],
)
def test_odd_names_of_activations_are_quoted_on_one_line(tmp_path, name):
    path = tmp_path / "net.json"
    layer = '{"weight": [[1.0]], "bias": [0.0]}'
    text = f'{{"layers": [{layer}, {layer}], "activations": [{name}]}}'
    path.write_text(text)
    assert "unknown activation" in refused(path)


def test_names_given_twice_are_refused_in_networks_too(tmp_path):
    path = tmp_path / "net.json"
    json_network(path, activations='[], "activations": []')
    assert "twice" in refused(path)


def test_long_digits_are_read_up_to_their_limit(tmp_path):
    path = tmp_path / "net.json"
    json_network(path, f'[["{"7" * 9000}"]]', "[0]")
    assert str(outcome(path)((1,))[0]) == "7" * 9000


# commands


def deep(count, activation="relu"):
    """x + count / 4 in as many hidden layers of one unit, as JSON."""
    layer = {"weight": [[1.0]], "bias": [0.25]}
    return {"layers": [layer] * (count + 1), "activations": [activation] * count}


def test_networks_of_very_many_layers_are_inspected_on_one_line_each(tmp_path):
    path = tmp_path / "net.json"
    path.write_text(json.dumps(deep(5_000)))
    assert command("inspect", path) == (0, "")
    assert command("inspect", path, "--json") == (0, "")


@pytest.mark.parametrize(
    "interval", [pytest.param(("--on", "0,1"), marks=pytest.mark.slow), ()]
)
def test_numbers_that_grow_without_end_are_not_followed(tmp_path, interval):
    path = tmp_path / "net.json"
    layer = {"weight": [["1e3999/" + "7" * 4000]], "bias": ["1e-4000"]}
    many = {"layers": [layer] * 41, "activations": ["relu"] * 40}
    path.write_text(json.dumps(many))
    code, err = command("inspect", path, *interval)
    assert code == 2 and "262144 bits" in err and err.count("\n") == 1


@pytest.mark.parametrize("bias", ['"1e4000"', "1.7e308"])
def test_float64_says_so_where_it_cannot_follow(tmp_path, bias):
    path = tmp_path / "net.json"
    json_network(path, "[[1.7e308]]", f"[{bias}]")
    assert command("inspect", path, "--on", "0,1")[0] == 0
    code, err = command("inspect", path, "--on", "0,1", "--float64")
    assert code == 2 and "exact" in err and err.count("\n") == 1


# certificates


FORMAT = "depthsep certificate 1"
CERTIFICATE = {
    "format": FORMAT,
    "problem": {
        "target": "expr:x",
        "law": "uniform:0,1/2",
        "norm": "linf",
        "accuracy": "1/1000",
    },
    "claim": {"error": "0", "rigour": "exact", "widths": [2]},
    "network": network_to_json(tent()),
    "source": "by hand",
    "versions": {},
}


def certificate(path, change=lambda document: None):
    """A certificate after a change, with the digest that fits it."""
    document = copy.deepcopy(CERTIFICATE)
    change(document)
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    document["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(json.dumps(document))
    return path


def about(**changes):
    return lambda document: document["problem"].update(changes)


def with_network(network):
    return lambda document: document.update(network=network)


def judged(path):
    """The verdict's reason, or the refusal; the command says the same, on one line."""
    found = outcome(path, verify)
    reason = found if isinstance(found, str) else found.reason
    code, err = command("verify", path)
    expected = 2 if isinstance(found, str) else int(not found.valid)
    assert code == expected and err.count("\n") == bool(expected)
    return reason


def test_the_certificate_itself_holds(tmp_path):
    assert "at most 1/1000" in judged(certificate(tmp_path / "c.json"))


NO_PROBLEMS = [
    (about(target="gaussian:1", law="signs:999999999"), "inputs; give at most"),
    (about(target="parity:999999999", law="signs:999999999"), "out of range"),
    (about(target="sawtooth:999999999"), "out of range"),
    (about(target="inner:sin(t)", law="spheres:999999999"), "spheres in"),
    (about(target="radial:signs:" + "9" * 5000, law="phi2:3"), "give a seed"),
    (about(target="expr:9**9**9"), "the formula contains"),
    (about(target="expr:" + "-" * 9000 + "x"), "cannot read the formula"),
    (about(target="expr:().__class__"), "not allowed"),
    (about(target="poly:(x1+x2)**999", law="box:0,1;0,1"), "are supported"),
    (about(law="uniform:1,0"), "reversed"),
    (about(law="uniform:0,1e-99999"), "give a number"),
    (about(norm="a\nb" * 10_000), "use linf, l1 or l2"),
    (about(accuracy="0." + "0" * 9000 + "1"), "give a number"),
    (about(accuracy="-1"), "positive"),
]


@pytest.mark.parametrize("case", NO_PROBLEMS, ids=lambda case: case[1])
def test_problems_that_are_none_are_refused(tmp_path, case):
    change, message = case
    assert message in judged(certificate(tmp_path / "c.json", change))


NO_CLAIMS = [
    (about(target="expr:1/x"), "cannot be checked: expr:1/x is not defined"),
    (about(target="expr:exp(exp(exp(exp(exp(x)))))"), "cannot be checked"),
    (with_network(deep(1100)), "error is"),
    (lambda d: d["claim"].update(widths=[1] * 9999), "widths are [2]"),
    (lambda d: d["claim"].update(error="1e4000"), "not the error found"),
    (lambda d: d["claim"].update(rigour="a\nb"), "damaged"),
    (lambda d: d["claim"].update(rigour=[[]]), "damaged"),
]


@pytest.mark.parametrize("case", NO_CLAIMS, ids=lambda case: case[1])
def test_claims_that_cannot_hold_are_refused_with_a_reason(tmp_path, case):
    change, message = case
    path = certificate(tmp_path / "c.json", change)
    assert message in judged(path)
    assert not verify(path).valid


@pytest.mark.slow
def test_ways_to_split_a_network_are_not_tried_without_end(tmp_path, monkeypatch):
    """A sixteenth of the tries of every day."""
    monkeypatch.setattr("depthsep.analysis.line.pieces._rank_one.MAX_READINGS", 1 << 9)
    turned = [[0, 0, 1, 0], [0, 0, 0, 1], [0] * 4, [0] * 4]
    rank_3 = [[1.0, 2, 0, 0], [1, 3, 0, 0], [2, 7, 0, 0]]
    layers = [
        ([[1.0]] * 4, [0.0, -0.5, -0.25, 0]),
        *[(turned, [0.5, 0.1, 1, 1])] * 25,
        (rank_3, [0.1, 0.2, 0.3]),
        ([[1.0, -2, 3]], [0.0]),
    ]
    network = Network.from_arrays(*(floats(a) for pair in layers for a in pair))
    change = with_network(network_to_json(network))
    assert not verify(certificate(tmp_path / "c.json", change)).valid


def beside(path, name, **entries):
    entry = {"onnx": name, "sha256": "", "weights_sha256": ""} | entries
    return certificate(path, with_network(entry))


@pytest.mark.parametrize("name", ["link.onnx", "tunnel/net.onnx", "..", "a\\b.onnx"])
def test_links_beside_a_certificate_are_not_followed(tmp_path, name):
    folder = tmp_path / "given"
    folder.mkdir()
    write_onnx(tent(), tmp_path / "net.onnx")
    (folder / "link.onnx").symlink_to(tmp_path / "net.onnx")
    (folder / "tunnel").symlink_to(tmp_path)
    path = beside(folder / "c.json", name)
    assert "this must be a file beside the certificate," in judged(
        path
    ) and "this must be a file beside the certificate," in refused(path)


@pytest.mark.parametrize("name", ["a\nb.onnx", "\x1b[2J.onnx", "\ud800.onnx", "a\0b"])
def test_names_that_cannot_be_shown_are_refused(tmp_path, name):
    assert "this must be a file beside the certificate," in judged(
        beside(tmp_path / "c.json", name)
    )


@needs_pipes
@pytest.mark.parametrize("make", [fifo, device, loop, Path.mkdir])
def test_what_is_no_file_beside_a_certificate_is_never_opened(tmp_path, make):
    make(tmp_path / "net.onnx")
    judged(beside(tmp_path / "c.json", "net.onnx"))
    refused(tmp_path / "c.json")


def test_weights_of_very_many_digits_have_a_digest(tmp_path):
    path = tmp_path / "net.onnx"
    steps = [node("Mul", [f"h{k}", "c"], [f"h{k + 1}"]) for k in range(20)]
    first = node("Identity", ["x"], ["h0"])
    saved(path, [first, *steps, node("Relu", ["h20"], ["y"])], {"c": floats(1e300)})
    hashes = {
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "weights_sha256": network_digest(read_onnx(path)),
    }
    assert "error is" in judged(beside(tmp_path / "c.json", "net.onnx", **hashes))


# damage at random


def valid_models():
    """Three ONNX models that together use every operator that is read."""
    weights = {
        "W": floats([[1, -2, 3], [0, 4, -1]]),
        "b": floats([1, -2]),
        "c": floats([0.1, 3]),
        "zero": floats(0),
        "one": floats(1).astype(np.float32),
        "d": integers([-1, 2]),
        "axes": integers([1]),
        "from": integers([0]),
    }
    plain = [
        node("Gemm", ["x", "W", "b"], ["h"], transB=1, alpha=0.5),
        node("Relu", ["h"], ["r"]),
        node("Neg", ["h"], ["n"]),
        node("Max", ["n", "zero"], ["m"]),
        node("Sub", ["r", "m"], ["s"]),
        node("Div", ["s", "c"], ["q"]),
        node("Concat", ["q", "x"], ["j"], axis=1),
        node("Clip", ["j", "zero"], ["y"]),
    ]
    steps = [
        node("Dropout", ["x"], ["i"]),
        node("MatMul", ["W", "t"], ["p"]),
        node("Transpose", ["p"], ["h"], perm=[1, 0]),
        node("Constant", [], ["k"], value=numpy_helper.from_array(floats([1, 2]))),
        node("Mul", ["h", "k"], ["g"]),
        *(node(op, ["g", "c"], [op]) for op in ("Less", "GreaterOrEqual")),
        node("Cast", ["Less"], ["u"], to=DOUBLE),
        node("Cast", ["GreaterOrEqual"], ["v"], to=DOUBLE),
        node("Add", ["u", "v"], ["y"]),
    ]
    steps.insert(1, node("Transpose", ["i"], ["t"], perm=[1, 0]))
    shapes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "from"], ["a"]),
        node("Slice", ["s", "from", "axes"], ["e"]),
        node("Concat", ["a", "axes"], ["f"], axis=0),
        node("Unsqueeze", ["x", "axes"], ["u"]),
        node("Squeeze", ["u", "axes"], ["v"]),
        node("Flatten", ["v"], ["w"]),
        node("Identity", ["w"], ["i"]),
        node("Gemm", ["i", "W", "b"], ["h"], transB=1),
        node("Reshape", ["h", "d"], ["r"]),
        node("Cast", ["one"], ["k"], to=DOUBLE),
        node("LessOrEqual", ["r", "k"], ["l"]),
        node("Greater", ["r", "k"], ["g"]),
        *(node("Cast", [a], [f"{a}{a}"], to=DOUBLE) for a in "lg"),
        node("Add", ["ll", "gg"], ["y"]),
    ]
    return [model_of(nodes, weights, ("batch", 3)) for nodes in (plain, steps, shapes)]


MODELS = valid_models()
NETWORKS = [
    tent(),
    tent(activation=THRESHOLD),
    Network.from_arrays([["1/3"], [-2]], [0, "1e-9"], [[1, "7/5"]], [0]),
]
ARRAYS = {
    "W1": floats([[1], [1]]),
    "b1": np.array([0, -1], "<f4"),
    "W2": integers([[1, -2]]),
    "b2": np.zeros(1, "u1"),
    "activations": np.array(["relu"]),
}
INTEGERS = [0, 1, -1, 2, 3, 5, 7, 9, 11, 16, 64, 255, 1 << 31, 1 << 32, 1 << 60]
INTEGERS += [(1 << 31) - 1, -(1 << 31), (1 << 63) - 1, -(1 << 63), (1 << 64) - 1]
FLOATS = [0.0, -0.0, 1.0, 0.5, 5e-324, 1e308, -1e38, math.nan, math.inf, -math.inf]
NAMES = ["", "x", "y", "h", "W", "zero", "W1", "\0", "../w", "é", "relu", "a\nb" * 99]
NAMES += ["Relu", "Gemm", "MatMul", "Reshape", "Concat", "Cast", "Identity", "Max"]


def damaged_bytes(rng, data, other):
    """Bytes flipped, cut, put in, doubled or taken from another file."""
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    kind = rng.randrange(6)
    if kind == 0:
        return data[:a]
    if kind == 1:
        return data[:a] + rng.randbytes(rng.randrange(1, 9)) + data[a:]
    if kind == 2:
        return data[:a] + data[b:]
    if kind == 3:
        return data[:b] + data[a:]
    if kind == 4:
        return data[:a] + other[rng.randrange(len(other) + 1) :]
    out = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 8])):
        out[rng.randrange(len(out))] = rng.choice([0, 1, 127, 255, rng.randrange(256)])
    return bytes(out)


def odd_scalar(rng, value):
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([*INTEGERS, value + 1, value - 1, value * 2])
    if isinstance(value, float):
        return rng.choice([*FLOATS, value * 3, -value])
    if isinstance(value, str):
        return rng.choice([*NAMES, value + "2", value[:-1]])
    return damaged_bytes(rng, value, bytes(8))


def messages_in(message):
    """A protobuf message and all the messages in it."""
    yield message
    for field, value in message.ListFields():
        if field.message_type is not None:
            for inner in [value] if hasattr(value, "DESCRIPTOR") else value:
                yield from messages_in(inner)


def damage_list(rng, values):
    """A repeated field with an entry changed, moved, doubled, removed or put in."""
    kind, k = rng.randrange(4), rng.randrange(len(values) or 1)
    if kind == 0 and values:
        del values[k]
    elif kind == 1 and values:
        values.append(values[k])
    elif kind == 2 and values:
        values.insert(rng.randrange(len(values)), values.pop(k))
    elif hasattr(values, "add"):
        values.add()
    elif values:
        values[k] = odd_scalar(rng, values[k])
    else:
        values.append(rng.choice([*INTEGERS, *FLOATS, *NAMES]))


def damage_message(rng, message):
    """One field of a message changed or cleared; what its type forbids stays."""
    present = [field for field, _ in message.ListFields()]
    fields = present if present and rng.random() < 0.8 else message.DESCRIPTOR.fields
    field = rng.choice(list(fields))
    value = getattr(message, field.name)
    with contextlib.suppress(ValueError, TypeError, OverflowError):
        if rng.random() < 0.1:
            message.ClearField(field.name)
        elif isinstance(value, bool | int | float | str | bytes):
            setattr(message, field.name, odd_scalar(rng, value))
        elif hasattr(value, "DESCRIPTOR"):
            value.SetInParent()
        else:
            damage_list(rng, value)


def damaged_model(rng):
    """A valid model with a few fields changed, as bytes."""
    model = ModelProto()
    model.CopyFrom(rng.choice(MODELS))
    for _ in range(rng.choice([1, 1, 2, 4])):
        everywhere = list(messages_in(model))
        damage_message(rng, rng.choice(everywhere))
    return model.SerializeToString()


DESCRS = ["<f8", ">f8", "<f4", "<f2", "<i8", "|u1", "|b1", "<c16", "|S0", "<U0", "<U4"]
DESCRS += ["|O", "|V8", "<M8[s]", [("a", "<f8")], ("<f8", (2,)), "", None, 8]


def odd_shape(rng):
    sizes = [0, 1, 1, 2, 2, 3, -1, True, 1 << 31, 1 << 63, 1 << 70]
    return tuple(rng.choice(sizes) for _ in range(rng.choice([0, 1, 1, 2, 2, 3])))


def damaged_array(rng, data):
    """An .npy member with another header, or with bytes missing or more."""
    (length,) = struct.unpack("<H", data[8:10])
    header = ast.literal_eval(data[10 : 10 + length].decode())
    kind = rng.randrange(4)
    if kind == 0:
        header["descr"] = rng.choice(DESCRS)
    elif kind == 1:
        header["shape"] = odd_shape(rng)
    elif kind == 2:
        header["fortran_order"] = rng.choice([True, 1, None, "x"])
    else:
        header[rng.choice(["descr", "shape", "more"])] = rng.choice(NAMES)
    body = data[10 + length :]
    if rng.random() < 0.3:
        body = damaged_bytes(rng, body, data)
    version = rng.choice([(1, 0), (1, 0), (2, 0), (3, 0)])
    written = repr(header)
    if rng.random() < 0.2:
        written = damaged_bytes(rng, written.encode(), b"L(,'").decode("latin-1")
    return npy_of(written.encode("unicode_escape").decode(), body, version=version)


def damaged_archive(rng):
    """A valid archive with one member or more changed, as bytes."""
    out, written = io.BytesIO(), set()
    with zipfile.ZipFile(out, "w") as archive:
        for name, array in ARRAYS.items():
            data = npy(array)
            if rng.random() < 0.4:
                data = damaged_array(rng, data)
            if rng.random() < 0.1:
                name = rng.choice(["W1", "b1", "W2", "W3", "b3", "W1.npy"])
            if name not in written and rng.random() < 0.9:
                archive.writestr(f"{name}.npy", data)
            written.add(name)
    return out.getvalue()


ODD = [None, True, 0, -1, 2, 0.5, 1e308, math.nan, math.inf, 10**400, [], {}, [[]]]
ODD += [[1.0], [[1.0]], [[1.0, "1/3"]], "1/3", "-1e-4000", "1e4000", "1/0", "nan", ""]
ODD += ["relu", "threshold", "abs", "square", "leaky_relu:1/3", "leaky_relu:2"]
ODD += ["\ud800", "x\n" * 999, {"weight": [[1.0]], "bias": [0.0]}]
PROBLEM = ["linf", "l1", "l2", "uniform:-1,1/2", "uniform:1,0", "box:0,1;0,1"]
PROBLEM += ["signs:1"]
PROBLEM += ["spheres:3", "phi2:2", "ball:3", "square", "sawtooth:2", "parity:1", "1e-9"]
PROBLEM += ["expr:1/x", "expr:x**3", "expr:abs(x)", "product", "radial:ball", "1e4000"]
PROBLEM += ["inner:t**2", "gaussian:1", "exact", "enclosed", "sampled"]


def places_in(tree):
    """Every place in a tree of lists and objects, as its container and key."""
    if isinstance(tree, dict | list):
        for key in list(tree) if isinstance(tree, dict) else range(len(tree)):
            yield tree, key
            yield from places_in(tree[key])


def damage_tree(rng, tree, odd):
    """An entry removed, replaced, wrapped, or exchanged with another one."""
    places = list(places_in(tree)) or [({"": tree}, "")]
    container, key = rng.choice(places)
    kind = rng.randrange(8)
    if kind == 0:
        del container[key]
    elif kind == 1:
        container[key] = [container[key]]
    elif kind == 2:
        container[key] = copy.deepcopy(rng.choice([c[k] for c, k in places]))
    elif kind == 3 and isinstance(container, list):
        container.append(copy.deepcopy(container[key]))
    else:
        container[key] = copy.deepcopy(rng.choice(odd))


def damaged_network(rng):
    """A network as JSON with a few entries changed, as bytes."""
    tree = network_to_json(rng.choice(NETWORKS))
    for _ in range(rng.choice([1, 1, 2, 4])):
        damage_tree(rng, tree, ODD)
    return json.dumps({"network": tree} if rng.random() < 0.1 else tree).encode()


def damaged_certificate(rng):
    """A certificate with a few entries changed, mostly with the digest that fits."""
    tree = copy.deepcopy(CERTIFICATE)
    for _ in range(rng.choice([1, 1, 2, 3])):
        part = rng.choice(["problem", "problem", "claim", "network", ""])
        part = tree.get(part)
        part = part if isinstance(part, dict) and part else tree
        damage_tree(rng, part, ODD + PROBLEM)
    text = json.dumps(tree, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).hexdigest()
    return json.dumps(tree | {"sha256": digest}).encode()


def valid_files():
    """Bytes of valid files, by suffix."""
    stream = io.BytesIO()
    np.savez_compressed(stream, **ARRAYS)
    return {
        "onnx": [model.SerializeToString() for model in MODELS],
        "npz": [stream.getvalue()],
        "json": [json.dumps(network_to_json(n)).encode() for n in NETWORKS],
    }


VALID = valid_files()
EVERYTHING = [data for files in VALID.values() for data in files]
randoms = st.randoms(use_true_random=False)
fuzzed = settings(
    deadline=None,
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_damaged_is_valid_at_first(tmp_path, suffix):
    path = tmp_path / f"net.{suffix}"
    for data in VALID[suffix]:
        path.write_bytes(data)
        assert_finite(outcome(path))


@pytest.mark.parametrize("suffix", SUFFIXES)
@fuzzed
@given(rng=randoms)
def test_damaged_bytes_are_refused_or_a_finite_network(tmp_path, suffix, rng):
    path = tmp_path / f"net.{suffix}"
    data = rng.choice(VALID[suffix])
    path.write_bytes(damaged_bytes(rng, data, rng.choice(EVERYTHING)))
    read_or_refused(path)


@fuzzed
@given(rng=randoms)
def test_damaged_models_are_refused_or_a_finite_network(tmp_path, rng):
    path = tmp_path / "net.onnx"
    path.write_bytes(damaged_model(rng))
    read_or_refused(path)


@fuzzed
@given(rng=randoms)
def test_damaged_arrays_are_refused_or_a_finite_network(tmp_path, rng):
    path = tmp_path / "net.npz"
    path.write_bytes(damaged_archive(rng))
    read_or_refused(path)


@fuzzed
@given(rng=randoms)
def test_damaged_json_is_refused_or_a_network_that_is_inspected(tmp_path, rng):
    path = tmp_path / "net.json"
    path.write_bytes(damaged_network(rng))
    read_or_refused(path)
    code, err = command("inspect", path)
    assert (code, err.count("\n")) in ((0, 0), (2, 1))


@fuzzed
@given(rng=randoms)
def test_damaged_certificates_are_refused_with_one_line(tmp_path, rng):
    path = tmp_path / "c.json"
    path.write_bytes(damaged_certificate(rng))
    read_or_refused(path)
    judged(path)


@pytest.mark.parametrize("name", [";ransB", "a; b", "a"])
def test_names_in_a_file_are_not_taken_for_a_remedy(name):
    said = with_remedy(FileFormatError(f"has the unknown attribute '{name}'"))
    assert said.endswith("'; write the file again")
    assert with_remedy(FileFormatError("is old; convert it")) == "is old; convert it"
