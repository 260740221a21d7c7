#!/usr/bin/env python3
"""Small trees of results as FlagPerf leaves them, made the same way every time.

    make_trees.py FOLDER

  classic     bert on 2 nodes x 2 ranks, 2 rounds: PerfLog, a FINISHED event, nvidia's monitor
  llm         llama2_70B with Megatron on 1 x 8 A800: time stamps, consumed samples, a summary
  deepspeed   baichuan2_13b on 2 x 8 H800: what the row 1.2 of nvidia's record states
  paired      llama2_7b on BI-V150, two ranks a card: iluvatar's monitor
  container   logs that a launcher in a container left, without rounds
  bench       a chip's and an operator's benchmark
  faults      classic, broken in every way that a tree can be
"""
import json, os, sys

root = sys.argv[1]


def put(path, text):
    path = os.path.join(root, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode())


def event(name, value, ms, rank, model="bert", step=None):
    doc = {"event": name}
    if value is not None:
        doc["value"] = value
    doc["metadata"] = {"file": "/w/training/benchmarks/%s/pytorch/run_pretraining.py" % model,
                       "lineno": 1, "time_ms": ms, "rank": rank}
    return "[PerfLog] " + json.dumps(doc) + "\n"


def stamp(seconds):
    return "2024-05-06-%02d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)


def classic(round_, rank, steps=40, model="bert", t0=1_714_989_600_000, off=0.0):
    out = event("INIT_START", None, t0, rank % 2, model)
    for i in range(1, steps + 1):
        loss = 7.0 / (1 + 0.05 * i) + 0.01 * round_ + off
        out += event("STEP_END", {"loss": round(loss, 6), "global_steps": i,
                                  "num_trained_samples": 256 * i, "seq/s": 800.5},
                     t0 + 320 * i, rank % 2, model)
    if rank == 0:
        out += "converged_success. eval_mlm_accuracy: 0.7312, target_mlm_accuracy: 0.712\n" if round_ == 1 else ""
        samples = 256 * steps
        raw, no_eval, pure = 14.5 + round_, 13.25, 12.8
        out += event("FINISHED", {
            "e2e_time": 21.75 + round_, "num_trained_samples": samples, "converged": round_ == 1,
            "final_mlm_accuracy": 0.7312, "final_loss": round(loss, 6), "raw_train_time": raw,
            "train_no_eval_time": no_eval, "pure_training_computing_time": pure,
            "throughput(ips)_raw": samples / raw, "throughput(ips)_no_eval": samples / no_eval,
            "throughput(ips)_pure_compute": samples / pure}, t0 + 320 * steps + 900, 0, model)
    return out


def cards(seconds, n, used, total, watts, step=5):
    out = ""
    for i in range(seconds // step + 1):
        out += stamp(36000 + step * i) + "\n"
        for c in range(n):
            out += "%dC %dW %dMiB %dMiB %d%%\n" % (40 + c, watts + c * 3 + i, used + 100 * c + 10 * i,
                                                   total, 90 + c)
        out += "\n"
    return out


def values(n, first, step):
    return "".join("%s\t%s\n" % (stamp(36000 + 5 * i), round(first + step * i, 4)) for i in range(n))


SYS_INFO = """OS version:
Ubuntu 20.04.6 LTS

OS Kernel version:
5.4.0-113-generic

Hardware Model:
Manufacturer: NVIDIA
Product Name: DGX A100

Accelerator Model:
GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-0)
GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-1)

Accelerator Driver version:
470.129.06

Docker version:
Docker version 20.10.16, build aa7e414
"""

KEY = "bert:pytorch_1.8:A100:2:2:2"


def put_classic(tree, skip=(), change=None):
    put(tree + "/flagperf_run.log", "2024-05-06 10:00:00,000\t[INFO]\t[run.py,501]Initialize logger\n")
    for round_ in (1, 2):
        for node in (0, 1):
            at = "%s/%s/round%d/10.0.0.%d_noderank%d/" % (tree, KEY, round_, node + 1, node)
            for local in (0, 1):
                rank = 2 * node + local
                name = "rank%d.out.log" % rank
                if (round_, rank) not in skip:
                    put(at + name, (change or {}).get((round_, rank)) or classic(round_, rank))
            put(at + "nvidia_monitor.log", cards(25, 2, 30000 + 1000 * node, 40536, 300))
            put(at + "cpu_monitor.log", values(6, 0.1, 0.01))
            put(at + "mem_monitor.log", values(6, 0.2, 0.001))
            put(at + "pwr_monitor.log", values(2, 3000 + 50 * node, 7.5))
            put(at + "sys_info.log", SYS_INFO)
            put(at + "start_pytorch_task.log", "2024-05-06 10:00:00,000\t[INFO]\tstart\n")


def put_llm():
    at = "llm/llama2_70B:megatron_core060:A800:1:8:1/round1/10.0.0.1_noderank0/"
    lines = "some banner\n"
    for i in range(1, 31):
        ms = 400000.0 + 1000 * (i % 7)
        lines += (" [2024-05-06 %02d:%02d:%02d] iteration %8d/      30 | consumed samples: %12d | "
                  "elapsed time per iteration (ms): %.1f | learning rate: 1.000000E-04 | "
                  "global batch size: %5d | lm loss: %E | loss scale: 1.0 | grad norm: 1.234 | "
                  "number of skipped iterations:   0 | number of nan iterations:   0 |\n"
                  % (i * 402 // 3600, i * 402 // 60 % 60, i * 402 % 60, i, i * 352, ms, 352, 10.0 / (1 + 0.04 * i)))
    put(at + "megatron.log.txt", lines)
    rate = 352 * 4096 / 402.0 / 8  # iteration 30 took 402000 ms
    put(at + "rank0.log.txt", "System tokens per second:  %r\nTokens/p/s:  %r\nMFU:  %r\n"
        % (rate * 8, rate, rate * 6 * 70e9 / 312e12))
    put(at + "nvidia_monitor.log", cards(13200, 8, 70000, 81251, 350, 600))
    put(at + "pwr_monitor.log", values(11, 5000, 20))


def put_deepspeed():
    for node in (0, 1):
        at = "deepspeed/baichuan2_13b:deepspeed_0.9:H800:2:8:1/round1/10.0.0.%d_noderank%d/" % (node + 1, node)
        text = ""
        for i in range(1, 61):
            text += "Step %d/60, Loss: %.6f\n" % (i, 2.0702 + 0.2 * (60 - i) ** 2 / 59)
            text += ("[2024-07-17 19:%02d:24,981] [INFO] [timer.py:258:stop] epoch=0/micro_step=%d/"
                     "global_step=%d, RunningAvgSamplesPerSec=21.171875, CurrSamplesPerSec=21.2, "
                     "MemAllocated=0.02GB, MaxMemAllocated=0.97GB\n" % (i % 60, i, i))
        put(at + "rank0.log.txt", text)
        put(at + "nvidia_monitor.log", cards(60, 8, 78100, 81559, 500))


def put_paired():
    at = "paired/llama2_7b:deepspeed_2.0:BI-V150:1:16:1/round1/10.0.0.1_noderank0/"
    put(at + "rank0.log.txt", "".join("Step %d/30, Loss: %.4f\n" % (i, 5 + 0.1 * (30 - i) ** 2 / 29) for i in range(1, 31))
        + "[INFO] RunningAvgSamplesPerSec=2.5, CurrSamplesPerSec=12\nTokens/p/s:  640.0\n")
    monitor = ""
    for i in range(4):
        monitor += stamp(36000 + 5 * i) + "\n"
        for rank in range(16):
            monitor += "50C %s %dMiB 32768MiB 99%%\n" % ("%dW" % (200 + rank) if rank % 2 else "N/A",
                                                        20000 + 10 * rank + i)
        monitor += "\n"
    put(at + "iluvatar_monitor.log", monitor)


def put_container():
    line = (" iteration %8d/     300 | consumed samples: %12d | elapsed time per iteration (ms): "
            "5000.0 | learning rate: 1.0E-04 | global batch size:   128 | lm loss: %E | loss scale: 1.0 |\n")
    put("container/run20240506101112/noderank1.log.txt",
        "".join(line % (i, 128 * i, 9 - 0.1 * i) for i in range(1, 11)))
    put("container/run20240506101112/noderank0.log.txt", "nothing that is known\n")
    put("container/run20240506101112/flagperf.log.txt",
        "2024-05-06 10:11:12.000 | INFO     | __main__:<module>:120 - "
        "Throughput(token per chip per second): 3100.5\n"
        "2024-05-06 10:11:12.000 | INFO     | __main__:<module>:121 - MFU: 0.41\n")


def put_bench():
    put("bench/computation-BF16/10.0.0.1_noderank0/benchmark.log.txt",
        "W0506 torch.distributed\n"
        "[FlagPerf Result]Rank 0's computation-BF16=259.2TFLOPS\n"
        "[FlagPerf Result]Rank 1's computation-BF16=258.75TFLOPS\n")
    put("bench/computation-BF16/10.0.0.1_noderank0/container_main.log.txt", "INFO\n")
    for us, rate, case in ((7413.27, 134.89, "mm:FP16:312:flaggems:A100"),
                           (7413.27, 234.89, "add:FP16:312:flaggems:A100")):
        put("bench/%s/10.0.0.1_noderank0/operation.log.txt" % case,
            "Using flaggems\n"
            "[FlagPerf Result]Operation matrix multiply(mm) in flaggems at FP16:\n"
            "[FlagPerf Result]FLOPS utilization: cputime=0.02%%, kerneltime=45.5%%\n"
            "[FlagPerf Result]cputime=%r us, throughput=%r op/s, equals to 0.07 TFLOPS\n"
            "[FlagPerf Result]First time latency: no warmup=120.5 us, warmup=7.25 us\n" % (us, rate))


def put_faults():
    whole = classic(1, 0)
    put_classic("faults/missing_rank", skip={(1, 3)})
    put_classic("faults/missing_round", skip={(2, r) for r in range(4)})
    put_classic("faults/truncated", change={(1, 0): whole[:len(whole) * 2 // 3 + 30]})
    put_classic("faults/binary", change={(1, 1): b"\x00\x01\x02" * 400})
    put_classic("faults/foreign", change={(1, 2): classic(1, 2, model="glm")})
    put_classic("faults/clocks", change={(1, 2): classic(1, 2, t0=1_714_989_600_000 + 60_000),
                                         (1, 3): classic(1, 3, t0=1_714_989_600_000 + 60_000)})
    put_classic("faults/other_loss", change={(1, 3): classic(1, 3, off=0.5)})
    put_classic("faults/empty_log", change={(1, 0): "\n"})
    put_classic("faults/printed", change={(1, 0): whole.replace('"throughput(ips)_raw": ', '"throughput(ips)_raw": 9')})
    put_classic("faults/short_time", change={(1, 0): whole.replace('"raw_train_time": 15.5', '"raw_train_time": 5.5')})
    put_classic("faults/failed_monitor")
    put("faults/failed_monitor/%s/round1/10.0.0.1_noderank0/nvidia_monitor.log" % KEY,
        "2024-05-06-10:00:00\n/bin/sh: nvidia-smi: not found\n\n" * 4)


put_classic("classic")
put_llm()
put_deepspeed()
put_paired()
put_container()
put_bench()
put_faults()
