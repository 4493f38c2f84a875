"""`python tests/support/busy.py 10 COMMAND`: a command beside ten busy processes."""

import subprocess
import sys

BUSY = [sys.executable, "-c", "while True: pass"]

if __name__ == "__main__":
    beside = [subprocess.Popen(BUSY) for _ in range(int(sys.argv[1]))]
    try:
        sys.exit(subprocess.run(sys.argv[2:]).returncode)
    finally:
        for process in beside:
            process.kill()
