"""Settings of the test-suite."""

import gc
import os
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

# machines differ in speed, and a loaded one is not a bug
settings.register_profile("depthsep", deadline=None, max_examples=15)
DRAWS = int(os.environ.get("DEPTHSEP_DRAWS", "2"))
settings.register_profile("long", deadline=None, max_examples=75 * DRAWS)
settings.load_profile("depthsep")

# what XLA compiled once serves all tests, processes and later runs
CACHE = Path(__file__).parent / ".cache" / "xla"
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(CACHE))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")
# compiling takes longer than running; benchmarks run what is optimised
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "true")
HAS_JAX = find_spec("jax") is not None
if HAS_JAX and version("jaxlib").startswith(
    "0.10."
):  # XLA stops at flags it has not got
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_use_fusion_emitters=false")
# a failed check of equinox gives NaN: calls back into Python cannot be cached
os.environ.setdefault("EQX_ON_ERROR", "nan")

# and so does what Python compiled, also where it is told to keep nothing
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# the test processes share the cores
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")


# collecting makes much and drops little
gc.disable()


def pytest_collection_finish():
    """What was collected stays: the garbage collector passes over it from now on."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(100_000, 10, 10)  # commands, too, collect seldom


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


# every program that XLA compiled keeps mappings; past 65,530 of them the process dies
MAPS, MOST_MAPS, EVERY = Path("/proc/self/maps"), 40_000, 10
_finished = 0


def pytest_runtest_teardown():
    """Let compiled programs go before a long-lived test process has too many."""
    global _finished
    _finished += 1
    if _finished % EVERY or "jax" not in sys.modules or not MAPS.exists():
        return
    if MAPS.read_bytes().count(b"\n") > MOST_MAPS:
        sys.modules["jax"].clear_caches()
        gc.collect()


NEEDS_LEARN = "needs JAX: pip install 'depthsep[learn]'"


def _is_for_lack_of_jax(error: BaseException | None) -> bool:
    said = str(error)
    return not HAS_JAX and ("depthsep[learn]" in said or "No module named" in said)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Without the extra `learn` the tests of learning say that they are skipped."""
    report = yield
    if report.failed and _is_for_lack_of_jax(report.longrepr):
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 0, f"Skipped: {NEEDS_LEARN}")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """The same for a test that comes to learning on its way."""
    report = yield
    if report.failed and _is_for_lack_of_jax(report.longrepr):
        report.outcome = "skipped"
        report.longrepr = (str(item.path), 0, f"Skipped: {NEEDS_LEARN}")
    return report


HERE = Path(__file__).parent
SLOW = frozenset((HERE / "slow.txt").read_text("utf-8").splitlines()[1:])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """What slow.txt lists is slow, also single parameters of a test."""
    found = {item.nodeid: item for item in items}
    for name in SLOW & set(found):
        found[name].add_marker(pytest.mark.slow)
    if [Path(place).resolve() for place in config.args] == [HERE]:  # all tests
        files = {name.partition("::")[0] for name in found}
        config.lost = [n for n in SLOW - set(found) if n.partition("::")[0] in files]
