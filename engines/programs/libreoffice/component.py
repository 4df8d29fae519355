"""Our converter as a part of LibreOffice: there, a call takes a hundredth of the time of one through the pipe."""

import json
import os
import sys
from contextlib import redirect_stdout
from io import StringIO

import unohelper
from com.sun.star.task import XJob

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from converter import convert


class Converter(unohelper.Base, XJob):
    def __init__(self, context):
        self.desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)

    def execute(self, arguments):
        """Takes a job as JSON, and returns the lines of its answer."""
        with redirect_stdout(StringIO()) as lines:
            print(json.dumps(convert(self.desktop, *json.loads(arguments[0].Value))))
        return lines.getvalue()


g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Converter, "athanor.Converter", ())
