"""Prints why a program refuses its file, as `told` reads it: `{"code":…,"message":…}`."""

import json
import sys


def report(message, code="CONVERSION_ERROR"):
    """Prints a refusal. The message is one sentence without paths; clients read it."""
    print(json.dumps({"code": code, "message": message}, separators=(",", ":")), file=sys.stderr, flush=True)


def refuse(message, code="CONVERSION_ERROR"):
    """Prints a refusal, and ends the program with exit code 1."""
    report(message, code)
    sys.exit(1)
