"""`python -m fiveup_ref`: the referee on the command line."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
