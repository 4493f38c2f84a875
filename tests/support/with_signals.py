"""`python with_signals.py default|ignore ARGUMENTS`: Python with SIGINT set so.

A background job of a shell passes on that SIGINT is ignored; a fork with
`preexec_fn` is not an option in a process with threads.
"""

import os
import signal
import sys

HANDLERS = {"default": signal.SIG_DFL, "ignore": signal.SIG_IGN}

if __name__ == "__main__":
    signal.signal(signal.SIGINT, HANDLERS[sys.argv[1]])
    os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
