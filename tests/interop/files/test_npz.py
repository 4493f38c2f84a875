"""NumPy archives, JSON networks, and files that are whole or not there at all."""

import io
import json
import os
import pickle
import struct
import zipfile

import numpy as np
import pytest
from flint import fmpq

from depthsep import FileFormatError, HypothesisError
from depthsep.interop import read_network, write_atomically, write_npz, write_onnx
from depthsep.interop.files._npz import read_npz
from depthsep.networks import RELU, THRESHOLD, Network, network_to_json
from support.places import NETS

ARRAYS = {
    "W1": np.array([[1.0], [-0.5]]),
    "b1": np.array([0.0, 0.25]),
    "W2": np.array([[2.0, -4]]),
    "b2": np.array([1.0]),
}
NETWORK = Network.from_arrays(*ARRAYS.values())


@pytest.fixture
def path(tmp_path):
    return tmp_path / "net.npz"


def refused(path, reader=read_npz):
    with pytest.raises(FileFormatError) as caught:
        reader(path)
    message = str(caught.value)
    assert message.startswith(str(path)) and "\n" not in message
    return message


# archives


@pytest.mark.parametrize("activation", [RELU, THRESHOLD], ids=str)
def test_a_written_network_is_read_back(path, activation):
    network = Network(NETWORK.layers, [activation])
    write_npz(network, path)
    assert read_npz(path) == network and read_npz(path).is_float
    with np.load(path) as archive:
        assert ("activations" in archive.files) == (activation is THRESHOLD)


@pytest.mark.parametrize("file", sorted(NETS.glob("*.npz")), ids=lambda f: f.stem)
def test_archives_made_by_numpy_are_read(file):
    with np.load(file) as archive:
        depth = len(archive.files) // 2
        names = [f"{kind}{k}" for k in range(1, depth + 1) for kind in "Wb"]
        expected = Network.from_arrays(*(archive[name] for name in names))
    assert read_npz(file) == expected


def test_compressed_narrow_big_endian_and_integer_arrays_are_read(path):
    kinds = (">f4", "<f2", "i4", "u1")
    given = {
        n: np.abs(a).astype(k) for (n, a), k in zip(ARRAYS.items(), kinds, strict=True)
    }
    given["W1"] = np.asfortranarray(given["W1"])
    np.savez_compressed(path, **given)
    network = read_npz(path)
    assert network.is_float
    assert network == Network.from_arrays(*(a.astype(float) for a in given.values()))


def test_integers_beyond_float64_stay_exact(path):
    np.savez(path, W1=np.array([[2**53 + 1]]), b1=np.array([-(2**62)]))
    assert read_npz(path)((1,)) == (2**53 + 1 - 2**62,)


def test_rational_weights_are_never_rounded_unasked(path):
    third = Network.from_arrays([[fmpq(1, 3)]], [0])
    with pytest.raises(HypothesisError, match=r"W1\[0, 0\] = 1/3 .*rounded=True"):
        write_npz(third, path)
    assert not path.exists()
    write_npz(third, path, rounded=True)
    assert read_npz(path).layers[0].weight.tolist() == [[1 / 3]]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"W1": None}, "W1 is missing"),
        ({"b2": None}, "b2 is missing"),
        ({"W2": None, "b2": None, "W3": np.eye(2), "b3": np.zeros(2)}, "W2 is missing"),
        ({"seed": np.array(3)}, "holds the array 'seed.npy'"),
        ({"W1": np.ones((2, 1), complex)}, "type complex128"),
        ({"W1": np.array([["a"], ["b"]])}, "W1 has type <U1"),
        ({"W1": np.array([[np.nan], [1]])}, "W1 holds NaN"),
        ({"b1": np.array([np.inf, 1])}, "b1 holds NaN or infinity"),
        ({"b1": np.zeros(3)}, "2 rows but bias has 3"),
        ({"b1": np.zeros((2, 1))}, "bias has 2 axes"),
        ({"W2": np.ones((1, 3))}, "layer 1 gives 2 values, but layer 2 takes 3"),
        ({"W2": np.ones((0, 2)), "b2": np.zeros(0)}, "W2.npy of shape"),
        ({"activations": np.array(["relu", "relu"])}, "it must be 1"),
        ({"activations": np.array(["swish"])}, "unknown activation 'swish'"),
        ({"activations": np.array([1])}, "not a list of strings"),
    ],
)
def test_archives_that_are_no_network_are_refused(path, changes, message):
    arrays = {k: v for k, v in (ARRAYS | changes).items() if v is not None}
    np.savez(path, **arrays)
    assert message in refused(path)


class Exploit:
    """Unpickling this creates a file."""

    def __init__(self, target):
        self.target = target

    def __reduce__(self):
        return (open, (str(self.target), "w"))


def test_pickles_are_refused_and_not_run(tmp_path, path):
    trace = tmp_path / "trace"
    np.savez(path, **ARRAYS | {"b1": np.array([Exploit(trace), 1], dtype=object)})
    assert "pickled objects, which are never loaded" in refused(path)
    path.write_bytes(pickle.dumps(Exploit(trace)))
    refused(path)
    assert not trace.exists()


def archive(path, members, method=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", method) as out:
        for name, data in members:
            out.writestr(name, data)


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def with_declared_size(path, size):
    """Change what the archive says its first member unpacks to."""
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, data.index(b"PK\x01\x02") + 24, size)
    path.write_bytes(data)


def test_zip_bombs_are_refused_before_they_unpack(path):
    archive(path, [("W1.npy", npy(np.zeros((1, 1 << 20))))], zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 20_000
    with_declared_size(path, 0xF0000000)
    assert "unpacks to 4026531840 bytes, above the limit" in refused(path)
    with_declared_size(path, 1000)
    assert "Bad CRC-32" in refused(path)


def test_headers_that_promise_too_much_are_refused(path):
    promise = npy(ARRAYS["W1"]).replace(b"(2, 1), }", b"(2" + b"0" * 6 + b",1)}")
    archive(path, [("W1.npy", promise)])
    assert "W1.npy of shape (2000000, 1) needs 16000128 bytes" in refused(path)


@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
def test_doubled_members_and_rare_compression_are_refused(path):
    member = ("W1.npy", npy(ARRAYS["W1"]))
    archive(path, [member, member])
    assert "W1 twice" in refused(path)
    archive(path, [member], zipfile.ZIP_LZMA)
    assert "twice, or in a compression that is not" in refused(path)


def test_an_archive_cut_anywhere_is_refused(path):
    write_npz(NETWORK, path)
    data = path.read_bytes()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        refused(path)


def test_damaged_bytes_are_refused_or_harmless(path):
    network = Network(NETWORK.layers, [THRESHOLD])
    write_npz(network, path)
    data = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(2000):
        damaged = bytearray(data)
        damaged[rng.integers(len(data))] = rng.integers(256)
        path.write_bytes(damaged)
        try:
            assert read_npz(path) == network  # the checksums of a zip file see it
        except FileFormatError as error:
            assert str(error).startswith(str(path))


# any file


@pytest.mark.parametrize("suffix", [".onnx", ".npz", ".json", ".NPZ"])
def test_the_suffix_chooses_the_reader(tmp_path, suffix):
    path = tmp_path / f"net{suffix}"
    if suffix == ".onnx":
        write_onnx(NETWORK, path)
    elif suffix == ".json":
        path.write_text(json.dumps(network_to_json(NETWORK)))
    else:
        write_npz(NETWORK, path)
    assert read_network(path) == NETWORK
    assert read_network(str(path)) == NETWORK


def test_a_certificate_gives_its_network(tmp_path):
    third = Network.from_arrays([[fmpq(1, 3)]], [0])
    document = {"claim": "anything", "network": network_to_json(third)}
    path = tmp_path / "cert.json"
    path.write_text(json.dumps(document))
    assert read_network(path) == third


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        '{"network": 3}',
        '{"layers": [{"weight": [[NaN]], "bias": [0.0]}], "activations": []}',
        '{"layers": [{"weight": [[1.0]]}], "activations": []}',
        '{"layers": [], "activations": []}',
        '{"layers": [{"weight": [['
        + "9" * 5000
        + ']], "bias": [0]}], "activations": []}',
    ],
    ids=lambda text: text[:20],
)
def test_damaged_json_is_refused(tmp_path, text):
    path = tmp_path / "net.json"
    path.write_text(text)
    refused(path, read_network)


def test_other_suffixes_and_missing_files_are_refused(tmp_path):
    assert ".onnx, .npz, .json" in refused(tmp_path / "net.tflite", read_network)
    for suffix in ("onnx", "npz", "json"):
        assert "No such file" in refused(tmp_path / f"none.{suffix}", read_network)


# atomic writing


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "file"
    write_atomically(path, b"old")
    write_atomically(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_usual_permissions(tmp_path):
    plain, atomic = tmp_path / "plain", tmp_path / "atomic"
    plain.write_bytes(b"")
    write_atomically(atomic, b"")
    assert atomic.stat().st_mode == plain.stat().st_mode


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_nothing_half_written_remains(tmp_path, monkeypatch, failing):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, failing, fail)
    with pytest.raises(OSError, match="No space left") as caught:
        write_atomically(path, b"new")
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="none/file"):
        write_atomically(tmp_path / "none" / "file", b"")


@pytest.mark.parametrize("suffix", [".pt", ".pth", ".pkl", ".joblib"])
def test_pickles_are_never_opened(tmp_path, suffix):
    path = tmp_path / f"net{suffix}"
    path.write_bytes(b"\x80\x04cos\nsystem\n.")
    with pytest.raises(FileFormatError, match=r"hold pickles, .* from_torch"):
        read_network(path)
