"""Exported files, compiled and loaded."""

import ctypes
import importlib.util
import shutil
import subprocess

import pytest
from flint import fmpq

COMPILER = shutil.which("gcc") or shutil.which("cc")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")


def real(value: fmpq) -> float:
    return float(value.p) / float(value.q)


def compiled(folder, source, name, kind, given=None):
    library = folder / f"{name}.so"
    flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-shared"]
    subprocess.run([COMPILER, *flags, "-fPIC", "-o", library, source], check=True)
    function = getattr(ctypes.CDLL(str(library)), name)
    function.restype, function.argtypes = kind, [given or kind]
    return function


def module(file):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made
