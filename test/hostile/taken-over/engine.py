"""A taken-over engine: it runs the upload as a Python program.

    engine.py once INPUT OUTPUT SCRATCH    runs one upload and ends
    engine.py serve                        speaks the protocol of warm engines

A program finds the names `input`, `output` and `scratch`, the functions below, and what earlier jobs of the same warm
process left in its globals. What it prints is the engine's output; what it raises is the engine's refusal of the file.
"""

import ctypes, errno, json, os, platform, sys, threading, time, traceback

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

# Numbers of system calls (x86-64, arm64) that have no function in the C library or in Python.
NUMBERS = {
    'io_setup': (206, 0), 'semget': (64, 190), 'shmget': (29, 194), 'msgget': (68, 186), 'mq_open': (240, 180),
    'ioprio_set': (251, 30), 'inotify_init1': (294, 26), 'sync': (162, 81), 'syncfs': (306, 267), 'io_uring_setup': (425, 425),
    'fcntl': (72, 25), 'fallocate': (285, 47), 'socketpair': (53, 199), 'socket': (41, 198), 'mmap': (9, 222),
    'setxattr': (188, 5), 'seccomp': (317, 277), 'prctl': (157, 167), 'setsid': (112, 157), 'setpgid': (109, 154),
    'ioctl': (16, 29), 'remap_file_pages': (216, 234), 'cachestat': (451, 451), 'semop': (65, 193), 'shmat': (30, 196),
    'setsockopt': (54, 208), 'splice': (275, 76), 'tee': (276, 77), 'vmsplice': (278, 75), 'sendfile': (40, 71),
    'sendmsg': (46, 211),
}


def syscall(name, *arguments):
    """Makes a system call by its name or number. Returns its result, or the name of the error, such as 'EPERM'."""
    number = NUMBERS[name][platform.machine() == 'aarch64'] if isinstance(name, str) else name
    ctypes.set_errno(0)
    values = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    result = libc.syscall(ctypes.c_long(number), *values)
    return errno.errorcode.get(ctypes.get_errno(), 'failed') if result == -1 else result


def give(text='', to=None):
    """Writes the result: a file of the target format with this text. Returns its path."""
    path = to or output
    with open(path, 'w') as file:
        file.write(f'#!{os.path.splitext(output)[1][1:]}\n{text}')
    return path


def background(function):
    """Runs a function in a thread that continues after the job."""
    threading.Thread(target=function, daemon=True).start()


def daemon(function):
    """Runs a function in a process with its own session that continues after the job, if it can."""
    if os.fork() == 0:
        os.setsid()
        for descriptor in (0, 1, 2):
            os.close(descriptor)
        try:
            function()
        finally:
            os._exit(0)


def run(arguments):
    globals().update(zip(('input', 'output', 'scratch'), arguments))
    with open(arguments[0]) as file:
        exec(compile(file.read(), 'upload', 'exec'), globals())


if sys.argv[1] == 'once':
    try:
        run(sys.argv[2:])
    except Exception as error:
        traceback.print_exc()
        print(f'refused: {error!r}', flush=True)
        sys.exit(1)
else:
    print('ready', flush=True)
    for line in sys.stdin:
        try:
            run(json.loads(line))
            print('{"done":true}', flush=True)
        except Exception as error:
            print(json.dumps({'error': {'code': 'CONVERSION_ERROR', 'message': repr(error)}}), flush=True)
