"""Settings of the test-suite."""

import os
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import settings

# machines differ in speed, and a loaded one is not a bug
settings.register_profile("depthsep", deadline=None, max_examples=15)
settings.register_profile("long", deadline=None, max_examples=200)
settings.load_profile("depthsep")

# what XLA compiled once serves all tests, processes and later runs
CACHE = Path(__file__).parent / ".cache" / "xla"
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(CACHE))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")
# compiling takes longer than running; pages and benchmarks run what is optimised
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "true")
if version("jaxlib").startswith("0.10."):  # XLA stops at flags it has not got
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_use_fusion_emitters=false")
# a failed check of equinox gives NaN: calls back into Python cannot be cached
os.environ.setdefault("EQX_ON_ERROR", "nan")

# and so does what Python compiled, also where it is told to keep nothing
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# the test processes share the cores
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")


@pytest.fixture
def x64():
    """Float64 in JAX."""
    import jax

    with jax.enable_x64(True):
        yield


@pytest.fixture(scope="session")
def chromium():
    """A browser, if this machine has one."""
    from support.browser import chromium_or_skip

    with chromium_or_skip() as browser:
        yield browser
