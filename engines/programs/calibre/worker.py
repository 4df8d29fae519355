"""The program of the engine: calibre's conversion, loaded once and run in a child for each job.

Prints `ready`, then answers each line, a JSON array of a folder for intermediates, input, output, title and calibre's
own options, by lines of progress and a last one, `{"done":true}` or `{"error":{"code":…,"message":…}}`. What it has
loaded never reads a book: a child does, which ends with its job, so a crash costs that job alone.
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
# Without a sentence of its own, the reader of these lines says that the file could not be read.
REFUSED = {'code': 'CONVERSION_ERROR', 'message': ''}

VERDICTS = {0: None, conversion.LOCKED: LOCKED, conversion.MEMORY: LIMIT}
STOPPED = {signal.SIGKILL, signal.SIGXCPU, signal.SIGXFSZ}
PERCENT = re.compile(rb'^(\d{1,3})% ')


def say(answer):
    print(json.dumps(answer, separators=(',', ':')), flush=True)


def relay(line):
    """Passes on what the child prints, so that no text of a book can pass for an answer."""
    step = PERCENT.match(line)
    if step:
        say({'progress': min(int(step[1]), 100) / 100})
    else:
        print('calibre:', line.decode('utf-8', 'replace')[:1000], flush=True)


def attend(child, pipe):
    """Relays until the child ends; what it started and left behind ends with it. Returns its wait status."""
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
    """Runs one conversion in a child. Returns what went wrong, if anything did."""
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
