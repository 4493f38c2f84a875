"""The preload of local workers: they ignore Ctrl-C, which is for the driver."""

import signal


def dask_setup(worker: object) -> None:
    """Dask calls this in the worker's main thread; the driver ends the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
