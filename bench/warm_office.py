"""Keeps LibreOffice open, without the service: reads lines "source<TAB>target", answers each with "done" (UNO API)."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException

NAME = f"bench{Path(tempfile.mkdtemp()).name}".lower()


def desktop():
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
    for _ in range(600):
        try:
            context = resolver.resolve(f"uno:pipe,name={NAME};urp;StarOffice.ComponentContext")
            return context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        except NoConnectException:
            time.sleep(0.1)
    raise TimeoutError("the office did not start")


def value(name, content):
    return PropertyValue(Name=name, Value=content)


profile = tempfile.mkdtemp()
office = subprocess.Popen(
    ["soffice", "--headless", "--norestore", f"-env:UserInstallation=file://{profile}", f"--accept=pipe,name={NAME};urp"],
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
)
try:
    loader = desktop()
    print("ready", flush=True)
    for line in sys.stdin:
        source, target = line.rstrip("\n").split("\t")
        document = loader.loadComponentFromURL(Path(source).as_uri(), "_blank", 0, (value("Hidden", True),))
        part = "calc" if source.endswith(".xlsx") else "writer"
        document.storeToURL(Path(target).as_uri(), (value("FilterName", f"{part}_pdf_Export"),))
        document.close(True)
        print("done", flush=True)
    loader.terminate()
finally:
    office.terminate()
    office.wait(10)
