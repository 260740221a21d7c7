#!/usr/bin/env python3
"""tiny_llama by fpreport and by PyTorch: seconds a step, one thread each, side by side.

    train_peer.py FPREPORT DUMP [ROUNDS]

DUMP is the program dump_tiny_llama. The two take turns, so that a busy machine disturbs both; a
round's figure is the median of its steps behind the 20 of the warm-up, the result the median of
the rounds. PyTorch trains as tests/oracle/torch_tiny_llama.py does; its start-up is not counted,
nor is ours. Also prints the rate of a matrix product as large as the case's largest, for the
floor in docs/PERFORMANCE.md. Without torch it says so and exits 0.
"""
import glob
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WARMUP = 20
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when torch loads its BLAS
FOR_ANOTHER_PYTHON = "/usr/bin/python3"  # Debian's, which sees python3-torch


def load_torch():
    sys.path.insert(0, os.path.join(TOP, "tests", "oracle"))
    try:
        import torch
    except ImportError:
        other = FOR_ANOTHER_PYTHON
        if os.path.exists(other) and os.path.realpath(other) != os.path.realpath(sys.executable):
            os.execv(other, [other, *sys.argv])
        return None, None
    import torch_tiny_llama
    torch.set_num_threads(1)
    return torch, torch_tiny_llama


def ours(program):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "-C", TOP, "train", "tiny_llama", "-q", "-o", folder], check=True,
                       stdout=subprocess.DEVNULL)
        log = glob.glob(os.path.join(folder, "run*", "*", "*", "*", "rank0.out.log"))[0]
        with open(log) as f:
            steps = [json.loads(l[len("[PerfLog] "):])["value"] for l in f if '"STEP_END"' in l]
    return statistics.median(s["step_time_s"] for s in steps[WARMUP:]), steps[-1]["loss"]


def peer(torch, oracle, dump):
    settings, weights, sequences = oracle.read_dump(dump)
    model = oracle.Llama(settings, weights, torch.device("cpu"), torch.float32)
    took, before = [], time.perf_counter()
    for _, loss, _, _ in oracle.train(model, torch.from_numpy(sequences), int(settings["steps"])):
        now = time.perf_counter()
        took.append(now - before)
        before = now
    return statistics.median(took[WARMUP:]), loss


def product_rate(torch):
    """GFLOP/s of [256, 128] x [128, 688], the gate-and-up product, by PyTorch's BLAS."""
    a, b = torch.rand(256, 128), torch.rand(128, 688)
    best = float("inf")
    for _ in range(200):
        began = time.perf_counter()
        torch.mm(a, b)
        best = min(best, time.perf_counter() - began)
    return 2 * 256 * 128 * 688 / best / 1e9


def main():
    program, dumper = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    torch, oracle = load_torch()
    if torch is None:
        step, loss = ours(program)
        print(f"fpreport {1000 * step:.2f} ms a step, final loss {loss:.4f}")
        print("note: there is no torch for this Python (Debian: python3-torch), so no ratio")
        return
    with tempfile.TemporaryDirectory() as folder:
        dump = os.path.join(folder, "tiny.bin")
        subprocess.run([dumper, dump, os.path.join(folder, "tiny.csv")], check=True,
                       stdout=subprocess.DEVNULL)
        pairs = [(ours(program), peer(torch, oracle, dump)) for _ in range(rounds)]
    for (step, loss), (their_step, their_loss) in pairs:
        print(f"fpreport {1000 * step:6.2f} ms a step (final loss {loss:.4f})   "
              f"torch {torch.__version__} {1000 * their_step:6.2f} ms (final loss {their_loss:.4f})   "
              f"ratio {step / their_step:.2f}")
    print(f"median ratio {statistics.median(a[0] / b[0] for a, b in pairs):.2f} (below 1: fpreport is faster); "
          f"torch's product: {product_rate(torch):.0f} GFLOP/s")


main()
