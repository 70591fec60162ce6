# Exchanges two names of one folder, atomically and as fast as it can, until it is ended or orphaned.
import ctypes
import os
import sys

libc = ctypes.CDLL(None, use_errno=True)
first, second = (os.fsencode(path) for path in sys.argv[1:3])
AT_FDCWD, RENAME_EXCHANGE = -100, 2


def exchange():
    if libc.renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE) != 0:
        raise OSError(ctypes.get_errno(), "renameat2")


exchange()
print("exchanging", flush=True)
parent = os.getppid()
while os.getppid() == parent:
    for _ in range(100):
        exchange()
