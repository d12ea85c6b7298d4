"""How the `penstock` command ends other than well. Light enough to be there before anything else loads."""

import contextlib
import os
import sys

FAILED, STOPPED = 1, 130
"""Exit codes: a run failed or the output cannot be written; stopped by Ctrl-C. (2 is for bad input.)"""


def output_failed(error: OSError) -> int:
    """Says that standard output cannot be written, and keeps Python from trying again at its end."""
    print(f"penstock: cannot write to standard output: {error.strerror or error}", file=sys.stderr)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED
