"""Submissions for mutations.py that are made here: runs of a command on machines with eight cards,
in the styles of Megatron and DeepSpeed, with monitors, and records that state what they give."""
import hashlib, json, random, time

import fake_train
from mutation_submissions import STAMP, Submission, name_files, verify


def facts(shipped, changes):
    f = json.loads(shipped)
    for fact in f["facts"]:
        if fact["key"] in changes:
            fact.pop("unknown", None)
            fact["value"] = changes[fact["key"]]
    return f


def nvidia_monitor(begin, end, cards, r):
    out = []
    for at in range(int(begin), int(end) + 1, 5):
        out.append(time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime(at)))
        out += [f"{r.randrange(50, 70)}C {r.randrange(280, 390)}.00W {r.randrange(29000, 33000)}MiB 40960MiB {r.randrange(90, 101)}%"
                for _ in range(cards)]
        out.append("")
    return "\n".join(out) + "\n"


def make_run(case, shipped, style, sequences, nodes, seed, seconds):
    """A sealed run of a command on machines with eight cards."""
    r = random.Random(seed)
    lines = list(fake_train.FORMATS[style](case["steps"], sequences, seed, seconds * 1000))
    total = sum(s for _, _, s, _ in fake_train.steps(case["steps"], sequences, seed, seconds * 1000))
    begin, end = fake_train.EPOCH - 20, fake_train.EPOCH + int(total) + 4
    case_bytes = (json.dumps(case, ensure_ascii=False, indent=2) + "\n").encode()
    key = f"{case['id']}:fpreport_0.1.0:host:{nodes}:8:1"
    run = {"schema": "fpreport.run/1", "case": case["id"], "key": key, "state": "complete", "exit_status": 0, "signal": None,
           "started": time.strftime(STAMP, time.gmtime(begin)), "finished": time.strftime(STAMP, time.gmtime(end)),
           "command": ["torchrun", "pretrain.py"], "host": "node0", "fpreport": "0.1.0", "reason": None, "challenge": None}
    print_ = facts(shipped, {"accelerator_vendor": "NVIDIA", "accelerator_model": "NVIDIA A100-SXM4-40GB", "accelerator_count": "8",
                             "accelerator_memory": "40960", "accelerator_driver": "535.104.05", "machine": "NVIDIA DGX A100",
                             "case_sha256": hashlib.sha256(case_bytes).hexdigest()})
    print_["facts"] = [f for f in print_["facts"] if f["key"] not in ("data_sha256", "blas")]
    files = {"case.json": case_bytes}
    stamps = [time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime(at)) for at in range(int(begin), int(end) + 1, 5)]
    other = random.Random(seed + 1)
    beside = {"sys_info.log": b"OS version:\nDebian GNU/Linux 12 (bookworm)\n",
              "cpu_monitor.log": "".join(f"{s}\t0.1{other.randrange(10, 99)}\n" for s in stamps).encode(),
              "mem_monitor.log": "".join(f"{s}\t0.2{other.randrange(10, 99)}\n" for s in stamps).encode()}
    for n in range(nodes):
        place = f"{key}/round1/node{n}_noderank{n}"
        files[f"{place}/fingerprint.json"] = json.dumps(print_, ensure_ascii=False, indent=2).encode() + b"\n"
        files[f"{place}/nvidia_monitor.log"] = nvidia_monitor(begin, end, 8, r).encode()
        for name in ("sys_info.log", "cpu_monitor.log", "mem_monitor.log"):
            files[f"{place}/{name}"] = beside[name]
        files[f"{place}/rank{8 * n}.out.log"] = ("\n".join(lines) + "\n").encode()
    files["run.json"] = name_files(run, files)
    return files


def make_record(case, rows, columns, batch, strategy):
    env = [{"label": "硬件环境", "items": [{"label": "机器型号", "value": "NVIDIA DGX A100"},
                                          {"label": "加速卡型号", "value": "NVIDIA A100-SXM4-40GB"},
                                          {"label": "CPU型号", "value": "AMD EPYC"}]},
           {"label": "软件环境", "items": [{"label": "OS版本", "value": "Debian GNU/Linux 12 (bookworm)"},
                                          {"label": "OS kernel版本", "value": "6.18.44-fc-v657"},
                                          {"label": "加速卡驱动版本", "value": "535.104.05"}]}]
    if strategy:
        env.append({"label": "并行策略", "items": [{"label": "实施细节", "value": strategy}]})
    return {"schema": "fpreport.result/1", "vendor": "nvidia", "case": case["id"], "title": "Nvidia GPU配置与运行信息参考",
            "environments": [{"title": "环境配置", "groups": env}], "run_title": "运行情况",
            "batch": [{"name": n, "symbol": s, "values": [{"value": str(v)}]} for n, s, v in batch],
            "general": {"columns": ["指标名称", "指标值", "特殊说明"],
                        "rows": [["任务类别", "自然语言理解", ""], ["模型", "llama2_7b", ""], ["数据精度", "bf16", ""],
                                 ["硬件设备简称", "A100", ""]]},
            "performance": [{"table": {"columns": columns, "rows": rows}}], "evidence": []}


def make_case(name, **more):
    case = {"schema": "fpreport.case/1", "id": name, "title": name, "model": "llama2_7b", "trainer": "command",
            "data": {"kind": "external", "name": "text"}, "sequence_length": 2048, "micro_batch": 1,
            "gradient_accumulation": 4, "steps": 60, "seed": 1234, "precision": "bf16"}
    case.update(more)
    case.setdefault("report", {"warmup_steps": 10, "throughput": "mean"})
    return case


GENERATED = [  # (case, style, rows with machines, columns, strategy)
    (make_case("mega", parallel={"tensor": 4, "pipeline": 2, "data": 1}), "megatron", ["A100单机8卡（1x8）"],
     ["配置", "precision", "parallel", "fix_hp", "token/p/s", "loss", "mem", "MFU"], "TP4PP2DP1"),
    (make_case("multi"), "megatron", ["A100单机8卡（1x8）", "A100两机8卡（2x8）"],
     ["配置", "config", "fix_hp", "token/p/s", "loss", "mem", "MFU"], None),
    (make_case("speed", parallel={"tensor": 1, "pipeline": 1, "data": 8},
               alignment={"reference": "references/speed.csv"}), "deepspeed", ["A100单机8卡（1x8）"],
     ["配置", "precision", "fix_hp", "token/p/s", "loss", "是否精度对齐", "mem", "MFU"], None),
]


def generate(program, root, shipped):
    out = []
    for i, (case, style, rows, columns, strategy) in enumerate(GENERATED):
        if "alignment" in case:
            curve = "step,loss\n" + "".join(f"{s},{l:.6f}\n" for s, l, _, _ in fake_train.steps(case["steps"], 1, 99))
            with open(f"{root}/references/{case['id']}.csv", "w") as f:
                f.write(curve)
            case["alignment"]["reference_sha256"] = hashlib.sha256(curve.encode()).hexdigest()
        with open(f"{root}/cases/{case['id']}.json", "w", encoding="utf-8") as f:
            json.dump(case, f, ensure_ascii=False)
        plan = case.get("parallel") or {"data": None}
        cells, archives, evidence = [], {}, []
        for n, name in enumerate(rows):
            nodes = n + 1
            data = plan["data"] or 8 * nodes
            sequences = case["micro_batch"] * case["gradient_accumulation"] * data
            seconds = sequences / (1.6 * 8 * nodes)  # about 3300 tokens/p/s
            path = f"evidence/nvidia/{case['id']}-{n + 1}.tar.zst"
            archives[path] = make_run(case, shipped, style, sequences, nodes, 10 * i + n, seconds)
            evidence.append({"archive": path, "sha256": "0" * 64, "table": 1, "row": n + 1})
            known = {"配置": name, "precision": "bf16", "parallel": strategy, "fix_hp": "/", "config": f"config_A100x{nodes}x8",
                     "是否精度对齐": "True"}
            cells.append([known.get(c, "0") for c in columns])
        batch = [("micro_batch_size", "LBS", 1), ("seq_length", "MPE", 2048), ("gradient_accumulation_steps", "GAS", 4)]
        if case.get("parallel"):
            batch.append(("global_batch_size", "GBS", case["micro_batch"] * 4 * plan["data"]))
        s = Submission(case["id"], make_record(case, cells, columns, batch, strategy), archives)
        s.record["evidence"] = evidence
        for path in archives:
            s.seal(path)
        # What the logs give is what an honest vendor states.
        keys = {"token/p/s": "token_per_s_per_card", "loss": "loss", "mem": "memory", "MFU": "mfu"}
        _, run, _ = verify(program, root, s.write(root))
        for m in run["metrics"]:
            for c, column in enumerate(columns):
                if keys.get(column) == m["name"] and m["recomputed"]:
                    cells[m["row"] - 1][c] = m["recomputed"]
        out.append(s)
    return out
