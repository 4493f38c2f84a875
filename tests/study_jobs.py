"""Jobs for the tests of studies: copied beside a study file, and run from there."""

import ctypes
import os
import signal
import time


def count(k: int, seed: int, seconds: float = 0.0) -> dict:
    """A deterministic job."""
    time.sleep(seconds)
    return {
        "square": k * k,
        "third": (k + seed) / 3,
        "word": f"k{k}",
        "even": k % 2 == 0,
    }


def poison(k: int, how: str, seed: int) -> dict:
    """Fine but at k = 3, where it does its worst."""
    if k != 3:
        return {"k_found": k}
    if how == "raise":
        raise ValueError("three is poison")
    if how == "exit":
        os._exit(7)
    if how == "segfault":
        ctypes.string_at(0)
    if how == "worker":
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    if how == "deaf":
        while True:
            try:
                time.sleep(60)
            except BaseException:
                continue
    if how == "slow":
        time.sleep(60)
    if how == "chatty":
        print("x" * 1_000_000)
        os.write(1, b"y" * 100_000)
    return {"k_found": k}


def device(k: int, seed: int) -> dict:
    """Which GPU it was given."""
    time.sleep(0.2)
    return {"device": os.environ["CUDA_VISIBLE_DEVICES"]}


def environment(k: int, seed: int) -> dict:
    """How a trial's process is set up."""
    import jax

    return {
        "threads": os.environ["OMP_NUM_THREADS"],
        "x64": bool(jax.config.jax_enable_x64),
        "backend": jax.default_backend(),
    }


def arrays(k: int, seed: int):
    """Files beside the rows."""
    import numpy as np

    from depthsep.studies import Result

    rng = np.random.default_rng(seed)
    return Result({"k_found": k}, arrays={"x": rng.standard_normal(100)})


def colliding(k: int, seed: int) -> dict:
    """A metric of a parameter's name."""
    return {"k": k}


def listing(k: int, seed: int) -> dict:
    """No scalar."""
    return {"values": [k]}


def seedless(k: int) -> dict:
    """No job: it takes no seed."""
    return {"k_found": k}
