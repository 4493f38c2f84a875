"""Settings of the test-suite."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# machines differ in speed, and a loaded one is not a bug
settings.register_profile("depthsep", deadline=None, max_examples=60)
settings.load_profile("depthsep")

# what XLA compiled once serves all tests, processes and later runs
CACHE = Path(__file__).parent / ".cache" / "xla"
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(CACHE))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.1")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")

# and so does what Python compiled, also where it is told to keep nothing
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture
def x64():
    """Float64 in JAX."""
    import jax

    with jax.enable_x64(True):
        yield
