"""Keeps one LibreOffice running, and converts documents with it.

Prints `ready`. Each line of input is a JSON array, `[input, output, spec]`. The answer is `{"done":true}` or
`{"error":{"code":…,"message":…}}`. The spec is JSON: `load` and `store` are media descriptors, `service` is the required
kind of document, `strip` removes the document's properties, `title` is for a document without one. `--version` and `--features` only print what is installed.
"""

import os
import sys

PROGRAM = "/usr/lib/libreoffice/program"


def features():
    parts = {"writer": "libswlo.so", "calc": "libsclo.so", "impress": "libsdlo.so", "math": "libsmlo.so"}
    return " ".join(name for name, library in parts.items() if os.path.exists(f"{PROGRAM}/{library}"))


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        os.execv(f"{PROGRAM}/soffice.bin", [f"{PROGRAM}/soffice.bin", "--version"])
    elif sys.argv[1:] == ["--features"]:
        # The import proves that the bridge is installed for this Python.
        import uno

        print(uno.__name__, features())
    else:
        from office_process import start
        from com.sun.star.beans import NamedValue

        desktop, converter = start(PROGRAM)
        print("ready", flush=True)
        for line in sys.stdin:
            print(converter.execute((NamedValue("job", line),)), end="", flush=True)
        desktop.terminate()
