"""The calibre engine: loads calibre once, and runs each job in a child process.

Prints `ready`. Each line of input is a JSON array: a folder for intermediate files, input, output, title, and options for
calibre. The answer is lines of progress, then `{"done":true}` or `{"error":{"code":…,"message":…}}`. This process never
reads a book: the child does, and ends with its job, so a crash affects that job only.
"""

import json
import os
import re
import selectors
import shutil
import signal
import sys
from tempfile import mkdtemp

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import conversion  # noqa: E402

LOCKED = {'code': 'ENCRYPTED_INPUT', 'message': 'The file is protected by DRM or a password'}
LIMIT = {'code': 'RESOURCE_LIMIT', 'message': 'The book needs more memory or processor time than a conversion may use'}
# If the message is empty, the service reports that the file could not be read.
REFUSED = {'code': 'CONVERSION_ERROR', 'message': ''}

VERDICTS = {0: None, conversion.LOCKED: LOCKED, conversion.MEMORY: LIMIT}
STOPPED = {signal.SIGKILL, signal.SIGXCPU, signal.SIGXFSZ}
PERCENT = re.compile(rb'^(\d{1,3})% ')


def say(answer):
    print(json.dumps(answer, separators=(',', ':')), flush=True)


def relay(line):
    """Passes on a line of the child, in a form that cannot be mistaken for an answer."""
    step = PERCENT.match(line)
    if step:
        say({'progress': min(int(step[1]), 100) / 100})
    else:
        print('calibre:', line.decode('utf-8', 'replace')[:1000], flush=True)


def attend(child, pipe):
    """Relays output until the child ends, then kills processes that it left. Returns its wait status."""
    end = os.pidfd_open(child)
    rest = b''
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        selector.register(end, selectors.EVENT_READ)
        while True:
            ready = [key.fd for key, _ in selector.select()]
            if pipe in ready:
                chunk = os.read(pipe, 65536)
                *lines, rest = (rest + chunk).split(b'\n')
                rest = rest[:65536]
                for line in lines:
                    relay(line)
                if not chunk:
                    selector.unregister(pipe)
            elif end in ready:
                break
    if rest:
        relay(rest)
    os.close(end)
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        pass
    return os.waitpid(child, 0)[1]


def perform(scratch, *arguments):
    """Runs one conversion in a child. Returns the error, or None."""
    folder = mkdtemp(dir=scratch)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        os.dup2(os.open('/dev/null', os.O_RDONLY), 0)
        os.closerange(3, 256)
        code = 1
        try:
            code = conversion.convert(folder, *arguments)
        finally:
            os._exit(code)
    os.close(writer)
    try:
        status = attend(child, reader)
    finally:
        os.close(reader)
        shutil.rmtree(folder, ignore_errors=True)
    if os.WIFSIGNALED(status):
        return LIMIT if os.WTERMSIG(status) in STOPPED else REFUSED
    return VERDICTS.get(os.WEXITSTATUS(status), REFUSED)


def main():
    conversion.preload()
    print('ready', flush=True)
    for line in sys.stdin:
        error = perform(*json.loads(line))
        say({'error': error} if error else {'done': True})


if __name__ == '__main__':
    main()
