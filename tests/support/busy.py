"""`python tests/support/busy.py 10 COMMAND`: a command beside ten busy processes."""

import os
import subprocess
import sys

# until what started them is gone, however it ended
BUSY = "import os\nwhile os.getppid() == {parent}: sum(range(10**6))"

if __name__ == "__main__":
    code = BUSY.format(parent=os.getpid())
    beside = [
        subprocess.Popen([sys.executable, "-c", code]) for _ in range(int(sys.argv[1]))
    ]
    try:
        sys.exit(subprocess.run(sys.argv[2:]).returncode)
    finally:
        for process in beside:
            process.kill()
