"""A trainer that only writes its log, for tests that need many runs of some case.

  fake_train.py FORMAT STEPS SEQUENCES SEED [MS [OFFSET]]

FORMAT is megatron or deepspeed. Losses fall towards 2 + OFFSET with noise of the seed; a step of
SEQUENCES sequences takes about MS milliseconds, and the time stamps say so, too. As a program it
takes that time, so that its log fits the clock of who runs it.
"""
import math, random, sys, time

EPOCH = 1714986000  # 2024-05-06, a Monday


def steps(n, sequences, seed, ms=250.0, offset=0.0, clock=EPOCH):
    """(step, loss, seconds, clock) of each step; the clock is when it ended."""
    r = random.Random(seed)
    for step in range(1, n + 1):
        seconds = round(ms * r.uniform(0.97, 1.03) * (1.4 if step == 1 else 1), 1) / 1000
        clock += seconds
        yield step, 2 + offset + 8 * math.exp(-step / 40) + r.gauss(0, 0.004), seconds, clock


def stamp(clock):
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(clock))


def megatron(n, sequences, seed, ms=250.0, offset=0.0, begin=EPOCH):
    for step, loss, seconds, clock in steps(n, sequences, seed, ms, offset, begin):
        yield (f" [{stamp(clock)}] iteration {step:8d}/{n:8d} | consumed samples: {step * sequences:12d} | "
               f"elapsed time per iteration (ms): {seconds * 1000:.1f} | learning rate: 1.000000E-04 | "
               f"global batch size: {sequences:5d} | lm loss: {loss:.6E} | loss scale: 1.0 | grad norm: {1.2 + math.cos(step) / 9:.3f} | "
               f"number of skipped iterations:   0 | number of nan iterations:   0 |")


def deepspeed(n, sequences, seed, ms=250.0, offset=0.0, begin=EPOCH):
    total = 0.0
    for step, loss, seconds, clock in steps(n, sequences, seed, ms, offset, begin):
        yield f"Step {step}/{n}, Loss: {loss:.6f}"
        total += seconds if step > 1 else 0
        if step > 1:
            yield (f"[{stamp(clock)},{int(clock % 1 * 1000):03d}] [INFO] [timer.py:258:stop] epoch=0/micro_step={step}/"
                   f"global_step={step}, RunningAvgSamplesPerSec={(step - 1) * sequences / total}, "
                   f"CurrSamplesPerSec={sequences / seconds}, MemAllocated=14.2GB, MaxMemAllocated=38.7GB")


FORMATS = {"megatron": megatron, "deepspeed": deepspeed}

if __name__ == "__main__":
    name, n, sequences, seed, *more = sys.argv[1:]
    ms, offset, *_ = [float(x) for x in more] + [20.0, 0.0][len(more):]
    begin = time.time()
    clocks = [clock for _, _, _, clock in steps(int(n), int(sequences), int(seed), ms, offset, begin)]
    lines = list(FORMATS[name](int(n), int(sequences), int(seed), ms, offset, begin))
    each = len(lines) / len(clocks)
    for i, line in enumerate(lines):
        time.sleep(max(0.0, clocks[int(i / each)] - time.time()))
        print(line, flush=True)
