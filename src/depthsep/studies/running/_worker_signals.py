"""What workers of a local cluster load first: Ctrl-C is for the driver alone."""

import signal


def dask_setup(worker: object) -> None:
    """Dask calls this in the worker's main thread; the driver ends the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
