"""One run of a command, measured."""
import os
import subprocess
import sys
import time


def run(command):
    """Wall seconds, processor seconds and MiB of one run."""
    began = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):  # 1: a result failed
        sys.exit(f"{os.path.basename(sys.argv[0])}: exit {child.returncode}: {command[0]}")
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
