"""``python -m bitsel``: the command line."""

import sys

from bitsel.cli import main

sys.exit(main())
