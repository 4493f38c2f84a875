"""Shells complete commands, options, targets, statements and their parameters."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import get_completion_class

from depthsep.cli import commands
from support.commands import command

DEPTHSEP = Path(sys.executable).with_name("depthsep")


def environment(shell, *words):
    """What a shell sets before it asks about the last of these words."""
    place = words[-1] if shell == "fish" else str(len(words) - 1)
    given = {"COMP_WORDS": " ".join(words), "COMP_CWORD": place}
    return given | {"_DEPTHSEP_COMPLETE": f"{shell}_complete"}


@pytest.fixture
def asked(monkeypatch):
    """What the command line answers to bash, in this process."""

    def answer(*words):
        for name, value in environment("bash", *words).items():
            monkeypatch.setenv(name, value)
        bash = get_completion_class("bash")
        return bash(commands, {}, "depthsep", "_DEPTHSEP_COMPLETE").complete()

    return answer


@pytest.mark.parametrize("verb", ["build", "prove", "certify", "records"])
def test_files_are_completed_after_an_output_option(verb, asked):
    assert "file" in asked("depthsep", verb, "-o", "net")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_script_and_answers(shell, capsys, monkeypatch):
    monkeypatch.setenv("_DEPTHSEP_COMPLETE", f"{shell}_source")
    code, script, _ = command(capsys)
    assert "_DEPTHSEP_COMPLETE" in script and code == 0
    if shutil.which(shell):
        read = subprocess.run([shell, "-n"], input=script, text=True)
        assert read.returncode == 0
    for name, value in environment(shell, "depthsep", "pro").items():
        monkeypatch.setenv(name, value)
    code, answer, _ = command(capsys)
    assert "prove" in answer and code == 0


def test_the_program_itself_answers():
    asks = os.environ | environment("bash", "depthsep", "pro")
    answer = subprocess.run([DEPTHSEP], env=asks, capture_output=True, text=True)
    assert "prove" in answer.stdout and answer.returncode == 0


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("separate", "s"), ["sawtooth:", "square"]),
        (("build", "square", "--no"), ["--norm"]),
        (("prove", "square", "--norm", ""), ["linf", "l1", "l2"]),
        (("bound", "theorem-"), ["theorem-a", "theorem-u"]),
        (("results", "square-o"), ["square-optimum"]),
        (("bound", "theorem-a", ""), ["pieces=", "layers="]),
        (("bound", "theorem-a", "pieces=3", ""), ["layers="]),
        (("bound", "no-such-id", ""), []),
        (("learn", "rad"), ["radial"]),
    ],
    ids=str,
)
def test_words_are_completed(words, wanted, asked):
    lines = asked("depthsep", *words).split()
    assert {line.partition(",")[2] for line in lines} == set(wanted)


def test_files_are_left_to_the_shell(asked):
    assert asked("depthsep", "verify", "c").startswith("file,")
