"""A compiled help file (CHM): its members, its language and its character set."""

import locale
import os
import posixpath
import re
from urllib.parse import unquote

from chm import chm, chmlib
from refusal.refusal import refuse
from text.charset import ansi_of, legible
from topic import text_of

MOST, MEMBERS = 1_000_000_000, 20_000


class Help:
    """A help file: its members, by path without the first slash."""

    def __init__(self, path):
        self.file = chm.CHMFile()
        if not self.file.LoadCHM(os.fsencode(path)):
            refuse("")
        self.names, total = {}, 0
        found = []
        chmlib.chm_enumerate(self.file.file, chmlib.CHM_ENUMERATE_NORMAL, lambda _, entry, __: found.append((entry.path, entry.length)), None)
        for name, length in found:
            total += length
            if total > MOST or len(found) > MEMBERS:
                refuse("The help file unpacks to more than 1 GB or 20,000 files", "RESOURCE_LIMIT")
            if length and not name.endswith(b"/"):
                self.names[legible(name).lstrip("/")] = name
        self.close = {name.casefold(): name for name in reversed(self.names)}
        self.language, self.charset = self.tongue()

    def tongue(self):
        """Language and character set, by the identifier of the language in the system file."""
        system = self.member(b"/#SYSTEM")
        at, code = 4, 0
        while at + 4 <= len(system):
            kind, length = int.from_bytes(system[at : at + 2], "little"), int.from_bytes(system[at + 2 : at + 4], "little")
            if kind == 4:
                code = int.from_bytes(system[at + 4 : at + 8], "little")
            at += 4 + length
        name = locale.windows_locale.get(code, "")
        return name.replace("_", "-") or "en", ansi_of(code) or "windows-1252"

    def read(self, name):
        return self.member(self.names[name])

    def member(self, path):
        found, entry = self.file.ResolveObject(path)
        return self.file.RetrieveObject(entry)[1] if found == chmlib.CHM_RESOLVE_SUCCESS else b""

    def text(self, name):
        return text_of(self.read(name), self.charset)

    def find(self, address, folder=""):
        """The member that an address means, or None. Addresses can name the help file itself."""
        path = re.split(r"[#?]", re.sub(r"^(mk:@msitstore:|ms-its:)?[^:]*::", "/", address.strip(), flags=re.I))[0].replace("\\", "/")
        if not path or re.match(r"[a-z][a-z0-9+.-]+:", path, re.I):
            return None
        for form in (path, unquote(path)):
            whole = posixpath.normpath(form if form.startswith("/") else posixpath.join(folder, form)).lstrip("/")
            if whole.casefold() in self.close:
                return self.close[whole.casefold()]
        return None

    def decoded(self, value):
        return text_of(value or b"", self.charset)
