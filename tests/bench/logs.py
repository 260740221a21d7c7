#!/usr/bin/env python3
"""Reading a training log, beside `wc -l` and `grep -c` on the same file: seconds and ratios.

    logs.py READ_LOG [MIB] [ROUNDS]

READ_LOG is the program of read_log.c. The log is made here, from a fixed seed: for every step two
PerfLog events and a Megatron line, each fourth step something that no format knows; its first
24 MiB are repeated up to MIB (1024). It is in the page cache when the clock starts. The three take
turns; figures are medians of user and system time of the process, so that waiting for a shared
core does not count. Also prints the rate at which memory can be read, for the floor in
docs/PERFORMANCE.md, and the peak memory of the reader.
"""
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

BLOCK = 24 << 20
SCRIPT = "/home/FlagPerf/training/benchmarks/cpm/pytorch/run_pretraining.py"


def event(name, step, clock, rank, value=None):
    body = {"event": name}
    if value:
        body["value"] = value
    body["step"] = step
    body["metadata"] = {"file": SCRIPT, "lineno": 127, "time_ms": clock, "rank": rank}
    return "[PerfLog] " + json.dumps(body)


def noise(rng, stamp):
    """What frameworks say between their steps; it has the marks that formats are found by."""
    us = rng.random()
    return rng.choice((
        f"{stamp},{int(us * 1000):03d} - INFO - what a framework says [rank 0] lr={us:.3g}",
        f"    forward-backward ...............................: ({us * 9000:.2f}, {us * 9100:.2f})",
        f"node-{int(us * 64)}:{int(us * 30000)}:{int(us * 31000)} [{int(us * 8)}] NCCL INFO Channel "
        f"{int(us * 16):02d}/0 : 3[b3000] -> 2[ae000] via P2P/IPC",
        "/opt/conda/lib/python3.10/site-packages/torch/utils/checkpoint.py:429: UserWarning: "
        "torch.utils.checkpoint: please pass in use_reentrant=True or use_reentrant=False.",
        f"[Rank 0] (after {int(us * 90)} iterations) memory (MB) | allocated: {us * 50000:.2f} | "
        f"max allocated: {us * 60000:.2f} | reserved: {us * 61000:.1f}",
        f"saving checkpoint at iteration {int(us * 90000):7d} to /data/ckpt in torch format",
    ))


def lines():
    """Numbers change as in a training: steps, clocks and samples rise, the loss falls with noise,
    the learning rate follows its schedule; only what a script never changes stays the same."""
    rng = random.Random(1)
    for step in range(1, 1 << 30):
        loss = 11 / step ** 0.25 + rng.random() * 0.2
        lr = 3e-4 * (1 - step / (1 << 20))
        clock = 1669034171032 + step * 412 + int(rng.random() * 30)
        stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(clock // 1000))
        yield event("STEP_BEGIN", step, clock - 409, step % 8)
        yield event("STEP_END", step, clock, step % 8, {
            "loss": loss, "embedding_average": round(rng.random() * 1024) / 1024,
            "epoch": 1 + step // 5000, "end_training": False, "global_steps": step,
            "num_trained_samples": step * 256, "learning_rate": lr,
            "seq/s": 800 + rng.random()})
        yield (f" [{stamp}] iteration {step:8d}/  300000 | consumed samples: "
               f"{step * 512:12d} | elapsed time per iteration (ms): "
               f"{140000 + rng.random() * 1000:.1f} | learning rate: {lr:.6E} | global batch "
               f"size:   512 | lm loss: {loss:.6E} | loss scale: 1.0 | grad norm: "
               f"{rng.random():.3f} | number of skipped iterations:   0 | number of nan "
               f"iterations:   0 |")
        if rng.random() < 0.25:
            yield noise(rng, stamp)


def write_log(out, mib):
    block, size = [], 0
    for line in lines():
        block.append(line)
        size += len(line) + 1
        if size >= BLOCK:
            break
    block = ("\n".join(block) + "\n").encode()
    for _ in range(max(1, (mib << 20) // len(block))):
        out.write(block)
    out.flush()
    return out.tell()


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, said


def memory_rate():
    """Bytes a second of reading memory that no cache holds (bytes.find of one byte: memchr)."""
    data = b"x" * (512 << 20)
    started = time.process_time()
    data.find(b"\n")
    return len(data) / (time.process_time() - started)


def main():
    reader = sys.argv[1]
    mib = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    with tempfile.NamedTemporaryFile(suffix=".log") as out:
        size = write_log(out, mib)
        ways = {"fpreport": [reader, out.name], "wc -l": ["wc", "-l", out.name],
                "grep -c": ["grep", "-c", "STEP_END", out.name]}
        took, said = {name: [] for name in ways}, {}
        for name, command in ways.items():
            cpu_seconds(command)  # warm
        for _ in range(rounds):
            for name, command in ways.items():
                seconds, said[name] = cpu_seconds(command)
                took[name].append(seconds)
    middle = {name: statistics.median(t) for name, t in took.items()}
    read_lines, known, steps, peak = map(int, said["fpreport"].split())
    if read_lines != int(said["wc -l"].split()[0]):
        sys.exit(f"logs.py: {read_lines} lines were read, wc counts {said['wc -l']}")
    print(f"log of {size / 2**20:.0f} MiB, {read_lines} lines, {known} known, {steps} steps; "
          f"memory reads at {memory_rate() / 1e9:.1f} GB/s")
    for name, seconds in middle.items():
        print(f"  {name:9} {seconds:7.3f} s  {size / seconds / 1e9:6.2f} GB/s")
    print(f"  ratio to wc -l {middle['fpreport'] / middle['wc -l']:.1f}, "
          f"to grep -c {middle['fpreport'] / middle['grep -c']:.1f}; "
          f"peak memory {peak / 1024:.1f} MiB")


if __name__ == "__main__":
    main()
