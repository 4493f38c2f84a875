"""Shells complete commands, options, targets, statements and their parameters."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DEPTHSEP = Path(sys.executable).with_name("depthsep")


def asked(shell, *words):
    """What depthsep answers to a shell about the last of these words."""
    given = {"COMP_WORDS": " ".join(words), "_DEPTHSEP_COMPLETE": f"{shell}_complete"}
    place = words[-1] if shell == "fish" else str(len(words) - 1)
    done = subprocess.run(
        [DEPTHSEP],
        env=os.environ | given | {"COMP_CWORD": place},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize("verb", ["build", "prove", "certify", "records"])
def test_files_are_completed_after_an_output_option(verb):
    assert "file" in asked("bash", "depthsep", verb, "-o", "net")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_script_and_answers(shell):
    source = os.environ | {"_DEPTHSEP_COMPLETE": f"{shell}_source"}
    script = subprocess.run([DEPTHSEP], env=source, capture_output=True, text=True)
    assert "_DEPTHSEP_COMPLETE" in script.stdout and script.returncode == 0
    if shutil.which(shell):
        read = subprocess.run([shell, "-n"], input=script.stdout, text=True)
        assert read.returncode == 0
    assert "prove" in asked(shell, "depthsep", "pro")


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("separate", "s"), ["sawtooth:", "square"]),
        (("build", "square", "--no"), ["--norm"]),
        (("prove", "square", "--norm", ""), ["linf", "l1", "l2"]),
        (("bound", "theorem-"), ["theorem-a"]),
        (("results", "square-o"), ["square-optimum"]),
        (("bound", "theorem-a", ""), ["pieces=", "layers="]),
        (("bound", "theorem-a", "pieces=3", ""), ["layers="]),
        (("bound", "no-such-id", ""), []),
        (("learn", "rad"), ["radial"]),
    ],
    ids=str,
)
def test_words_are_completed(words, wanted):
    lines = asked("bash", "depthsep", *words).split()
    assert {line.partition(",")[2] for line in lines} == set(wanted)


def test_files_are_left_to_the_shell():
    assert asked("bash", "depthsep", "verify", "c").startswith("file,")
