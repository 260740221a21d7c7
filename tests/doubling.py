#!/usr/bin/env python3
"""Twice the input takes about twice the time, for everything that is read: TAP.

    doubling.py FPREPORT RECORDS

Each input is made at n, 2n and 4n, where 4n takes 30 ms or more: a neighbour and the caches it
shares make a difference of 1 ms or 2. Where a reader's cap is met before that, the command is given the
same input several times, which leaves the ratio as it is. What is compared is processor time, user's
and system's, of the whole command less that of inputs of nothing, so that the start of the program does
not decide. A ratio above LIMIT is measured again, eight times at most and ever later, for a neighbour
may be at work for seconds. One round in which it holds is enough, or the least of each size: a processor that
is faster for a moment gives one size a least that the others never meet. Sorting adds a few per cent to 2; a square makes 4, and one that is
hidden in other work shows when it takes half of the time at 4n. Inputs that take less than 15 ms even at
4n tell nothing and fail: they are to be made larger.
"""
import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli", "verify"))
from hostile import END, header, padded

PROGRAM, RECORDS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
LIMIT, LEAST = 2.6, 0.015
# Threads that OpenBLAS starts and nobody uses spin for a while.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
KEY = "bert:pytorch_1.8:A100:1:%d:1"


def seconds(arguments):
    """Processor time of one call that read what it was given."""
    child = subprocess.Popen([PROGRAM] + arguments, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE)
    said = child.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1) or "matches a known log format" in said:
        raise RuntimeError(f"exit {child.returncode}: {said[:200]}")
    return usage.ru_utime + usage.ru_stime


def put(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as out:
        out.write(text)


def lines(form, n):
    """n lines, the form filled with rising steps and falling losses."""
    return "".join(form % {"i": i, "loss": 2 + 100 / (i + 9), "ms": 1714989600000 + 320 * i}
                   for i in range(1, n + 1))


LOGS = {
    "perflog": (24000, '[PerfLog] {"event": "STEP_END", "value": {"loss": %(loss).6f, '
                '"global_steps": %(i)d, "num_trained_samples": %(i)d}, "metadata": {"file": "x.py", '
                '"lineno": 1, "time_ms": %(ms)d, "rank": 0}}\n'),
    "megatron": (24000, " iteration %(i)8d/ 900000 | consumed samples: %(i)12d | elapsed time per "
                 "iteration (ms): 320.5 | lm loss: %(loss).6E | loss scale: 1.0 | grad norm: 1.5 |\n"),
    "deepspeed": (24000, "Step %(i)d/900000, Loss: %(loss).5f\n"),
    "huggingface": (24000, "{'loss': %(loss).5f, 'learning_rate': 5e-05, 'epoch': %(i)d.5}\n"),
    "llama-recipes": (24000, "\rTraining Epoch: 1/1, step %(i)d/90000 completed (loss: %(loss).5f):  "
                      "1%%|   | %(i)d/90000"),
    "paddle": (24000, "[    INFO] - loss: %(loss).5f, learning_rate: 2.1e-06, global_step: %(i)d, "
               "interval_runtime: 26.3, interval_samples_per_second: 6.0\n"),
    "patterns": (5000, "step %(i)d, loss: %(loss).5f\n"),
    "lines of no format": (24000, "2024-05-06 10:11:12,123 - INFO - node %(i)d says [%(loss).3f] | "
                           "nothing of interest\n"),
    "losses at steps that fall": (24000, "Step %(loss).0f%(i)d/900000, Loss: %(loss).5f\n"),
}


def make_log(form):
    def make(n):
        put("x.log", "Step 1/9, Loss: 2.5\n" + lines(form, n))
        return ["verify", "--records", RECORDS, "x.log"]
    return make


def csv(n):
    put("x.csv", "step,loss,iteration_time_s\n" + lines("%(i)d,%(loss).6f,0.5\n", 30 + n))
    return ["diff", "x.csv", "x.csv"]


PAGE = """### Nvidia GPU配置与运行信息参考
#### 环境配置
- ##### 硬件环境
    - 机器型号: Box 8
    - 加速卡型号: NVIDIA_A100-SXM4-80GB
%s
### 运行情况

* 通用指标

| 指标名称 | 指标值 | 特殊说明 |
| --- | --- | --- |
| 模型 | llama2_7b | |
%s
* 性能指标

| 配置 | fix_hp | token/p/s | loss | mem | MFU |
| --- | --- | --- | --- | --- | --- |
%s"""


def make_page(bullets="", general="", rows=""):
    def make(n):
        parts = [lines(form, n if form else 0) for form in (bullets, general, rows)]
        put("page.md", PAGE % tuple(parts))
        return ["verify", "--records", RECORDS] + ["page.md"]
    return make


def record(n):
    rows = [["A100单机8卡（1x%d）" % i, "/", "%d" % i, "2.5", "40/80", "30.%d%%" % (i % 10)]
            for i in range(n)]
    columns = ["配置", "fix_hp", "token/p/s", "loss", "mem", "MFU"]
    put("r.json", json.dumps({
        "schema": "fpreport.result/1", "vendor": "nvidia", "case": "x-y",
        "performance": [{"table": {"columns": columns, "rows": rows}}]}, indent=1))
    return ["verify", "--records", RECORDS, "r.json"]


def batch_files(n):
    """A configuration file for each row, of another size."""
    columns, files = ["配置", "token/p/s"], [f"config_A100x{i + 1}x8.py" for i in range(n)]
    put("r.json", json.dumps({
        "schema": "fpreport.result/1", "vendor": "nvidia", "case": "x-y",
        "batch": [{"name": "LBS", "symbol": "LBS", "file": f, "text": "1"} for f in files],
        "performance": [{"table": {"columns": columns, "rows": [
            [f"A100（{i + 1}x8）", f"{i + 9}"] for i in range(n)]}}]}))
    return ["verify", "--records", RECORDS, "r.json"]


def plain_json(n):
    put("r.json", json.dumps({"schema": "fpreport.result/1", "vendor": "nvidia", "case": "x-y",
                              "extras": [{"place": "run", "text": f"text {i}"} for i in range(n)]}))
    return ["verify", "--only", "FP1001", "--records", RECORDS, "r.json"]


def rendered(text):
    """The Markdown page of a record with a title of n times the text, which is to be made inert."""
    def make(n):
        put("records/results/nvidia/x-y.json", json.dumps({
            "schema": "fpreport.result/1", "vendor": "nvidia", "case": "x-y", "title": text * n}))
        return ["render", "--records", "records", "-o", "-", "nvidia/x-y"]
    return make


def monitor(n):
    put("nvidia_monitor.log", "".join(
        "2024-05-06-%02d:%02d:%02d\n" % (i // 3600 % 24, i // 60 % 60, i % 60) +
        "31C %dW %dMiB 40536MiB 9%%\n" % (57 + i % 200, 15 + i) * 2 for i in range(n)))
    return ["verify", "--records", RECORDS, "nvidia_monitor.log"]


def tree(files):
    def make(n):
        root = f"tree{n}"
        line = '[PerfLog] ' + json.dumps({"event": "STEP_END", "value": {
            "loss": 2.5, "global_steps": 1}, "metadata": {"file": "x.py", "lineno": 1,
                                                          "time_ms": 1714989600000, "rank": 0}}) + "\n"
        for i in range(n):
            put(os.path.join(root, files(i, n)), line)
        return ["verify", "--records", RECORDS, root]
    return make


def verdicts(n):
    finding = {"rule": "FP2003", "severity": "error", "message": "m", "table": 1}
    for name in "ab":
        put(name + ".json", json.dumps({
            "schema": "fpreport.verify/1", "tool": "0", "rules": "0",
            "runs": [{"id": f"v/{i}", "state": "failed", "metrics": [], "evidence": [],
                      "findings": [dict(finding, row=i), dict(finding, row=len(name + "x"))]}
                     for i in range(n)]}))
    return ["diff", "a.json", "b.json"]


def results(n):
    folder = f"many{n}"
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run([sys.executable, os.path.join(here, "bench/many_results.py"), folder, str(n)],
                   check=True)
    return ["verify", "--records", folder]


def checkout(n):
    """A case whose configurations are all of the page's rows."""
    case = "flagperf/training/nvidia/llama2_7b-deepspeed"
    for i in range(n):
        put(f"{case}/config/config_A100x1x{i}.py", f"train_batch_size = {i}\nseqlength = 2048\n" * 20)
    put("flagperf/training/benchmarks/llama2_7b/deepspeed/README.md", "x\n")
    row = "| A100x1x%(i)d | config_A100x1x%(i)d | 1000 | 2.5 | 40/80 | 30.1%% |\n"
    put("nvidia/llama2_7b-deepspeed/README.md", PAGE % ("", "", lines(row, n)))
    return ["verify", "--records", RECORDS, "--flagperf", "flagperf",
            "nvidia/llama2_7b-deepspeed/README.md"]


def often(copies, make):
    """The same input, the last argument, several times."""
    def make_copies(n):
        arguments = make(n)
        return arguments + arguments[-1:] * (copies - 1)
    return make_copies


def tar_of(files):
    return b"".join(header(f, len(files[f])) + padded(files[f]) for f in sorted(files)) + END


def put_submission(files, predicate=None):
    sums = "".join(f"{hashlib.sha256(files[f]).hexdigest()}  {f}\n" for f in sorted(files)
                   if f != "SHA256SUMS")
    files = {"SHA256SUMS": sums.encode(), **files}
    if predicate:
        files["statement.json"] = json.dumps({
            "_type": "https://in-toto.io/Statement/v1",
            "subject": [{"name": "SHA256SUMS",
                         "digest": {"sha256": hashlib.sha256(sums.encode()).hexdigest()}}],
            "predicateType": "https://slsa.dev/provenance/v1",
            "predicate": predicate}).encode() + b"\n"
    with open("x.tar.zst", "wb") as out:
        subprocess.run(["zstd", "-q", "-1", "-c"], input=tar_of(files), stdout=out, check=True)


def made_submission(files, *options):
    def make(n):
        put_submission(files(n))
        return ["verify", "--records", RECORDS, *options, "x.tar.zst"]
    return make


def many_files(n):
    return {f"logs/{i % 100}/file{i:06d}": b"%d\n" % i for i in range(n)}


def sums_of_nothing(n):
    digest = "0" * 64
    return {"SHA256SUMS": "".join(f"{digest}  file{i:06d}\n" for i in range(n)).encode()}


def statement(command):
    """A statement that repeats a command line of run.json, in the other order."""
    def make(n):
        put_submission({"run.json": json.dumps({"command": command(n)}).encode()},
                       {"buildDefinition": {"internalParameters": {"command": command(n)[::-1]}}})
        return ["verify", "--records", RECORDS, "--only", "FP4014", "x.tar.zst"]
    return make


def import_zip(n):
    with zipfile.ZipFile("x.zip", "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in many_files(n).items():
            out.writestr(name, data)
    return ["import", "--force", "-o", "y.tar.zst", "x.zip"]


def import_tar_gz(n):
    with open("x.tar.gz", "wb") as out:
        out.write(gzip.compress(tar_of(many_files(n)), 1))
    return ["import", "--force", "-o", "y.tar.zst", "x.tar.gz"]


def signers(n):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key"], check=True)
    with open("key.pub") as pub:
        key = " ".join(pub.read().split()[:2])
    put("signers", "".join(f"v{i} {key}\n" for i in range(n)))
    signed = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                          "../templates/explain/records/evidence/globex/run.tar.zst")
    return ["verify", "--records", RECORDS, "--only", "FP4015", "--signers", "signers", signed]


ROW = "| A100单机8卡（1x8） | / | %(i)d | 2.5 | 40/80 | 30.1%% |\n"
READERS = {f"log: {name}": (n, make_log(form)) for name, (n, form) in LOGS.items()}
READERS.update({
    "curve": (20000, csv),
    "page: bullets": (240, often(12, make_page(bullets="    - 名称%(i)d: wert %(i)d\n"))),
    "page: rows of the general metrics table": (600, often(12, make_page(general="| 名称%(i)d | %(i)d | |\n"))),
    "page: rows of figures": (90, often(4, make_page(rows=ROW))),
    "page: tables of figures in text": (400, often(12, make_page(rows="\ntext %(i)d | 1\n"))),
    "record: rows": (90, often(4, record)),
    "record: files of batch sizes": (45, often(12, batch_files)),
    "record: JSON": (10000, plain_json),
    "title: addresses without an end": (20000, rendered("](a")),
    "title: tags that may be addresses": (50000, rendered("<a:")),
    "title: comments without an end": (5000, rendered("<!--")),
    "monitor": (25000, monitor),
    "tree: ranks": (200, often(3, tree(lambda i, n: f"{KEY % n}/round1/10.0.0.1_noderank0/rank{i}.out.log"))),
    "tree: nodes": (100, often(3, tree(lambda i, n: f"{KEY % 1}/round1/10.0.{i // 250}.{i % 250}_noderank{i}/rank0.out.log"))),
    "tree: rounds": (100, tree(lambda i, n: f"{KEY % 1}/round{i + 1}/10.0.0.1_noderank0/rank0.out.log")),
    "tree: cases": (100, tree(lambda i, n: f"{KEY % 1}".replace("bert", f"c{i}") + "/round1/10.0.0.1_noderank0/rank0.out.log")),
    "verdicts": (1500, verdicts),
    "results": (100, results),
    "checkout": (45, often(6, checkout)),
    "submission: files": (4900, made_submission(many_files, "--only", "FP4002")),
    "submission: lines of SHA256SUMS": (50000, made_submission(sums_of_nothing, "--only", "FP4002")),
    "submission: values of JSON": (100000, made_submission(
        lambda n: {"run.json": json.dumps({"x": list(range(n))}).encode()})),
    "submission: keys of JSON": (2400, often(8, made_submission(
        lambda n: {"run.json": json.dumps({f"key{i}": i for i in range(n)}).encode()}))),
    "submission: bytes of a log": (4 << 20, made_submission(
        lambda n: {"rank0.out.log": b"".join(b"node %d said nothing\n" % i for i in range(n // 24))}, "--only", "FP4002")),
    "statement: names": (8000, statement(lambda n: [{"name": f"x{i}"} for i in range(n)])),
    "statement: values below a long key": (10000, statement(lambda n: [{"k" * 10 * n: [0] * n}])),
    "zip: files": (4900, import_zip),
    "tar.gz: files": (4900, import_tar_gz),
    "signers": (2450, often(24, signers)),
})


def is_good(took):
    nothing, _, twice, four_times = took
    return LEAST <= four_times - nothing <= LIMIT * (twice - nothing)


def measure(make, n):
    """Processor time at nothing, n, 2n and 4n."""
    calls = [make_in(f"{size}", make, size) for size in (1, n, 2 * n, 4 * n)]
    best = [run() for run in calls]
    for times in range(8):
        if is_good(best):
            break
        time.sleep(times / 2)
        took = [run() for run in calls]
        if is_good(took):
            return took
        best = [min(pair) for pair in zip(best, took)]
    return best


def make_in(folder, make, n):
    """The call on an input of size n, which stays in a folder of its own."""
    top = os.getcwd()
    os.makedirs(folder)
    os.chdir(folder)
    arguments, place = make(n), os.getcwd()
    os.chdir(top)

    def run():
        os.chdir(place)
        took = seconds(arguments)
        os.chdir(top)
        return took
    return run


def main():
    failed = 0
    for number, (name, (n, make)) in enumerate(READERS.items(), 1):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                took = measure(make, n)
                good = is_good(took)
                told = "at %d, %d, %d: %.1f, %.1f, %.1f ms, beside %.1f" % (
                    n, 2 * n, 4 * n, *(1000 * (t - took[0]) for t in took[1:]), 1000 * took[0])
            except RuntimeError as error:
                good, told = False, str(error)
            os.chdir("/")
        failed += not good
        print(f"{'' if good else 'not '}ok {number} - {name}: {told}", flush=True)
    print(f"1..{len(READERS)}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
