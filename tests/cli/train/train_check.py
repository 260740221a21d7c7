#!/usr/bin/env python3
"""Looks at run directories, and starts what a shell cannot.

    train_check.py run FOLDER CASE            layout, run.json, log and monitors of a good run
    train_check.py same A B                   every figure but the times is equal
    train_check.py curve FOLDER CSV           within 1e-3 of a curve, end below 0.5 * its entropy
    train_check.py state | weights | log FOLDER
    train_check.py signal NAME COMMAND…       send it a signal when it is under way; its status as a shell has it
    train_check.py interrupt COMMAND…         ^C twice
    train_check.py terminal TERM COMMAND…     run it on a terminal of its own, print what it shows
"""
import csv
import glob
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time


def need(true, what):
    if not true:
        sys.exit(what)


def one(pattern):
    found = glob.glob(pattern)
    need(len(found) == 1, f"{pattern}: {len(found)} of it")
    return found[0]


def run_json(folder):
    with open(one(os.path.join(folder, "run*", "run.json"))) as f:
        return json.load(f)


def node(folder):
    return one(os.path.join(folder, "run*", "*", "round1", "*_noderank0"))


def events(folder):
    with open(os.path.join(node(folder), "rank0.out.log"), newline="") as f:
        text = f.read()
    need(text.endswith("\n"), "the log ends within a line")
    return [json.loads(l[len("[PerfLog] "):]) for l in text.splitlines() if l.startswith("[PerfLog] ")]


def finished(folder):
    return [e["value"] for e in events(folder) if e["event"] == "FINISHED"][0]


def check_run(folder, case):
    root = one(os.path.join(folder, "run*"))
    need(re.fullmatch(r"run\d{14}", os.path.basename(root)), root)
    need(sorted(os.listdir(root))[0] == "case.json", "no case.json")
    need(re.fullmatch(case + r":fpreport_[0-9.]+:cpu:1:1:1", os.path.basename(one(root + "/*:*"))), "key")
    need(re.fullmatch(r"[A-Za-z0-9._-]+_noderank0", os.path.basename(node(folder))), "node")
    names = ["rank0.out.log", "cpu_monitor.log", "mem_monitor.log", "sys_info.log", "fingerprint.json"]
    for name in names:
        need(os.path.exists(os.path.join(node(folder), name)), name)
    for name in names[1:3]:
        with open(os.path.join(node(folder), name)) as f:
            need(re.fullmatch(r"(\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\t[01]\.\d{4}\n)+", f.read()), name)
    with open(os.path.join(node(folder), "sys_info.log")) as f:
        need(re.match(r"OS version:\n.+\n\nOS Kernel version:\n.+\n\n", f.read()), "sys_info.log")
    run = run_json(folder)
    need(run["state"] == "complete" and run["exit_status"] == 0 and run["finished"], str(run))
    kinds = [e["event"] for e in events(folder)]
    steps = kinds.count("STEP_END")
    need(kinds == ["INIT_START", "INIT_END", "TRAIN_START", "STEP_ZERO"] + ["STEP_END"] * steps
         + ["TRAIN_END", "FINISHED"], str(kinds))
    need([e["value"]["global_steps"] for e in events(folder) if e["event"] == "STEP_END"]
         == list(range(1, steps + 1)), "steps are not 1, 2, 3 …")
    with open(os.path.join(node(folder), "rank0.out.log")) as f:
        need(re.search(r"^System tokens per second:  [0-9.]+\nTokens/p/s:  [0-9.]+\n\Z", f.read(), re.M), "summary")


def untimed(folder):
    """Steps with the text of every loss, and the hash of the weights."""
    keys = ("loss", "grad_norm", "learning_rate", "global_steps", "num_trained_samples")
    steps = [[e["value"][k] for k in keys] for e in events(folder) if e["event"] == "STEP_END"]
    return steps, finished(folder)["weights_sha256"]


def check_same(a, b):
    need(len(untimed(a)[0]) > 1 and untimed(a) == untimed(b), "they differ")


def check_curve(folder, path):
    with open(path, newline="") as f:
        reference = {int(row["step"]): float(row["loss"]) for row in csv.DictReader(f)}
    ours = {e["value"]["global_steps"]: e["value"]["loss"] for e in events(folder) if e["event"] == "STEP_END"}
    need(ours.keys() == reference.keys(), "not the same steps")
    worst = max(abs(ours[n] - reference[n]) / reference[n] for n in ours)
    need(worst < 1e-3, f"off by {worst}")
    end = sum(ours[n] for n in sorted(ours)[-20:]) / 20
    entropy = 2.9831  # of the corpus' single tokens, in nats
    need(end < 0.5 * entropy, f"loss {end}")


def under_way(command):
    """The native trainer has taken a step, another command has said something."""
    for log in glob.glob(os.path.join(command[command.index("-o") + 1], "run*", "*", "*", "*", "rank0.out.log")):
        with open(log, errors="replace") as f:
            return ("\n" if "--" in command else "STEP_END") in f.read()
    return False


def wait_for_log(child, command):
    """Until it is under way, however long that takes on a busy machine."""
    while not under_way(command):
        need(child.poll() is None, "it ended too early")
        time.sleep(0.02)


def send(name, command):
    """SIGINT is ignored by what a shell puts into the background, so it is sent from here."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    wait_for_log(child, command)
    child.send_signal(getattr(signal, "SIG" + name))
    status = child.wait(timeout=300)
    sys.exit(128 - status if status < 0 else status)


def interrupt(command):
    """What a terminal does at ^C, done twice: the whole process group gets it."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    wait_for_log(child, command)
    os.killpg(child.pid, signal.SIGINT)
    child.send_signal(signal.SIGINT)
    status = child.wait(timeout=300)
    sys.exit(128 - status if status < 0 else status)


def terminal(term, command):
    os.environ["TERM"] = term
    status = pty.spawn(command, lambda fd: os.read(fd, 65536))
    sys.exit(os.waitstatus_to_exitcode(status) if status >= 0 else 1)


def main(what, *args):
    if what == "run":
        check_run(*args)
    elif what == "same":
        check_same(*args)
    elif what == "curve":
        check_curve(*args)
    elif what == "state":
        run = run_json(*args)
        print(run["state"], run["exit_status"])
    elif what == "weights":
        print(finished(*args)["weights_sha256"])
    elif what == "log":
        need(len(events(*args)) > 4, "no steps")
    elif what == "signal":
        send(args[0], args[1:])
    elif what == "interrupt":
        interrupt(args)
    elif what == "terminal":
        terminal(args[0], args[1:])


main(*sys.argv[1:])
