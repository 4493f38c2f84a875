"""Names and labels with control characters are shown, and not obeyed."""

import json

import numpy as np
import pytest

from depthsep._files import lines_shown_safely, shown_safely
from depthsep.cli._main import main
from depthsep.interop import write_npz
from depthsep.networks import Network
from depthsep.reports import print_rows

RED = "\x1b[31mred\x07"


def printed(capsys, *arguments):
    with pytest.raises(SystemExit) as stopped:
        main([str(a) for a in arguments])
    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err and "\x07" not in said.out + said.err
    return stopped.value.code, said.out + said.err


def test_control_characters_are_escaped():
    assert shown_safely(RED) == "\\x1b[31mred\\x07"
    assert lines_shown_safely("a\nb\x08") == "a\nb\\x08"
    assert shown_safely("\udcff\u202e") == "\\udcff\\u202e"
    assert shown_safely("Kocák, x² ≤ 1") == "Kocák, x² ≤ 1"


def test_terminals_get_no_control_characters_of_file_names(tmp_path, capsys):
    net, proof = tmp_path / f"{RED}.onnx", tmp_path / f"{RED}.json"
    code, text = printed(
        capsys,
        *("build", "sawtooth:2", "--accuracy", "1/10", "--depth", "3"),
        *("-o", net, "--certificate", proof),
    )
    assert code == 0 and "\\x1b[31mred\\x07.onnx" in text
    assert net.exists() and "\x1b" not in proof.read_text("utf-8")
    assert json.loads(proof.read_text("utf-8"))
    assert printed(capsys, "verify", proof)[0] == 0
    code, text = printed(capsys, "inspect", net, "--on", "0,1")
    assert code == 0 and "\\x1b[31mred" in text
    net.unlink()
    assert printed(capsys, "verify", proof)[0] == 0  # it holds the weights itself
    assert printed(capsys, "inspect", net)[0] == 2
    assert printed(capsys, "separate", f"expr:{RED}")[0] == 2


def test_pages_get_none_either(tmp_path, capsys):
    rows = np.random.default_rng(0).normal(size=(3, 2))
    network = Network.from_arrays(rows, np.zeros(3), np.ones((1, 3)), np.zeros(1))
    net = tmp_path / f"{RED}.npz"
    write_npz(network, net)
    assert printed(capsys, "inspect", net, "--report", tmp_path / "page")[0] == 0
    page = (tmp_path / "page" / "index.html").read_text("utf-8")
    assert "\x1b" not in page and "\\x1b[31mred" in page


def test_tables_get_none_either(capsys):
    print_rows([{RED: RED, "n": 1.0}])
    assert "\x1b" not in capsys.readouterr().out
