"""Starts LibreOffice on a pipe, with its own profile that trusts nothing."""

import os
import subprocess
import time

import uno
from com.sun.star.connection import NoConnectException

# Private to this process, with or without a sandbox.
PROFILE = os.path.join(os.environ.get("TMPDIR", "/tmp"), "office")
PIPE = f"athanor-{os.getpid()}"
RESTART = 81  # exit code of a start with a new profile, which must be repeated
PATIENCE = 50  # seconds

# Path, property and value of settings that differ from the defaults: no macros, links, Java, backups.
SETTINGS = [
    ("Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Office.Common/Save/Document", "CreateBackup", "false"),
    ("Office.Writer/Content/Update", "Link", "0"),
    ("Office.Calc/Content/Update", "Link", "2"),
    ("Office.Java/VirtualMachine", "Enable", "false"),
    # Any other request goes to a proxy that does not exist.
    ("Inet/Settings", "ooInetProxyType", "1"),
    ("Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPProxyPort", "9"),
    ("Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPSProxyPort", "9"),
    ("Inet/Settings", "ooInetNoProxy", ""),
]


def start(program):
    """Returns the desktop of a started LibreOffice, and our converter in it. Raises SystemExit if it does not start."""
    write_profile(program)
    began = time.monotonic()
    process = boot(program)
    while True:
        try:
            context = component_context()
            desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
            return desktop, converter(context)
        except NoConnectException:
            status = process.poll()
            if status == RESTART:
                process = boot(program)
            elif status is not None:
                raise SystemExit(f"soffice ended with {status}") from None
            if time.monotonic() - began > PATIENCE:
                raise SystemExit("soffice does not answer") from None
            time.sleep(0.02)


def converter(context):
    """Our converter, which LibreOffice's loader of components loads."""
    module = uno.systemPathToFileUrl(os.path.join(os.path.dirname(os.path.abspath(__file__)), "component"))
    loader = context.ServiceManager.createInstanceWithContext("com.sun.star.loader.Python", context)
    factory = loader.activate("athanor.Converter", "", f"vnd.openoffice.pymodule:{module}", None)
    return factory.createInstanceWithContext(context)


def component_context():
    """Returns the context of the running LibreOffice. Raises NoConnectException if it does not answer."""
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    return resolver.resolve(f"uno:pipe,name={PIPE};urp;StarOffice.ComponentContext")


def boot(program):
    flags = ["headless", "invisible", "nocrashreport", "nodefault", "nologo", "nofirststartwizard", "norestore"]
    return subprocess.Popen(
        [
            f"{program}/soffice.bin",
            *(f"--{flag}" for flag in [*flags, "nolockcheck"]),
            f"-env:UserInstallation=file://{PROFILE}",
            f"--accept=pipe,name={PIPE};urp;StarOffice.ComponentContext",
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        # Its warnings go to the operator's log, like those of this program.
        stderr=None,
    )


def write_profile(program):
    items = "".join(
        f'<item oor:path="/org.openoffice.{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
        for path, name, value in SETTINGS
    )
    os.makedirs(f"{PROFILE}/user/extensions", exist_ok=True)
    build = build_of(program)
    if build:
        # Without this file, LibreOffice takes the profile for one of another version, and starts again.
        with open(f"{PROFILE}/user/extensions/buildid", "w", encoding="utf8") as file:
            file.write(build)
    with open(f"{PROFILE}/user/registrymodifications.xcu", "w", encoding="utf8") as file:
        file.write(
            '<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry" '
            'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
            f"{items}</oor:items>"
        )


def build_of(program):
    """Returns the build of the installed LibreOffice, or None if it is unknown."""
    try:
        with open(f"{program}/versionrc", encoding="utf8") as file:
            return next((line.strip()[len("buildid=") :] for line in file if line.startswith("buildid=")), None)
    except OSError:
        return None
