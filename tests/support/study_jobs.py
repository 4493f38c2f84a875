"""Jobs for the tests of studies: copied beside a study file, and run from there."""

import contextlib
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


def waiting(k: int, seed: int, gate: str) -> dict:
    """The first trial returns at once, the others when a file is there."""
    while k and not os.path.exists(gate):
        time.sleep(0.01)
    return {"k_found": k}


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
    if how == "watcher":
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    if how == "worker":  # of Dask: the one that started the watcher
        with open(f"/proc/{os.getppid()}/stat") as stream:
            os.kill(int(stream.read().split(")")[1].split()[1]), signal.SIGKILL)
        time.sleep(60)
    if how == "surrogate":
        raise ValueError("bad \ud800")
    if how == "long":
        return {f"text_{n}": "x" * 20_000 for n in range(250)}
    if how == "name":
        return {"a\n<b>": 1}
    if how == "stop":
        raise KeyboardInterrupt
    if how == "garbage":
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        for file in range(3, 20):
            with contextlib.suppress(OSError):
                os.write(file, b"\0" * 7 + b"\2no")
        time.sleep(60)
    if how == "holding":
        if os.fork() == 0:
            time.sleep(30)
        os._exit(1)
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


def forking(k: int, seed: int) -> dict:
    """Two processes return from one trial."""
    if k == 0:
        os.fork()
    return {"k_found": k}


def leaving(k: int, seed: int) -> dict:
    """Every trial leaves a mess, and says whether it finds one."""
    import threading

    import numpy as np

    found = os.environ.get("MESS", "") + str(np.geterr()["over"])
    found += str(threading.active_count()) + str(os.path.basename(os.getcwd()))
    os.environ["MESS"] = "yes"
    np.seterr(all="raise")
    os.chdir("/")
    threading.Timer(0.1, os._exit, (3,)).start()
    return {"found": found}


def starting(k: int, seed: int, place: str) -> dict:
    """Starts a process that outlives it, unless somebody cares."""
    import subprocess

    child = subprocess.Popen(["sleep", "300"])
    with open(place, "a") as stream:
        stream.write(f"{child.pid}\n")
    if k == 1:
        ctypes.PyDLL(None).sleep(300)  # and holds the interpreter's lock
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
