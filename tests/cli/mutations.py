"""Does verify notice one changed field? mutations.py FPREPORT RECORDS WORK [SEED [COUNT [restated]]]

Verified submissions are made in WORK: the shipped one of tiny_llama, and generated ones of a
command's logs (Megatron and DeepSpeed style; one row and several, with cards, monitors, MFU and a
reference). COUNT times, one field of a record or of its archive is changed and the archive sealed
and stated again by the one who changed it, or one bit of it flipped; then fpreport verifies it.
With `restated`, the digests that run.json has of the files are made to fit as well. NOTHING=1 in
the environment changes nothing, which nobody can catch: the counting itself, tested.
Caught is what leaves the state other than verified, or gives an error or a warning.

Printed are the share, the kinds, and every change that was not caught, with the reason why no
check can know (EXPLAINED). Exit 1 below 95 %, or when one is not explained.
"""
import copy, hashlib, io, json, os, random, re, shutil, struct, subprocess, sys, tarfile, time
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fake_train

SHARE = 0.95
STAMP = "%Y-%m-%dT%H:%M:%SZ"


# --- archives, as sealing makes them

def header(name, size):
    """One block of ustar: long names are cut at the last '/' that makes both parts fit."""
    raw, prefix = name.encode(), b""
    if len(raw) > 100:
        cut = raw.rindex(b"/", 0, 156)
        prefix, raw = raw[:cut], raw[cut + 1:]
    block = bytearray(struct.pack("100s8s8s8s12s12s8s1s100s6s2s32s32s8s8s155s12x", raw, b"0000644", b"0000000", b"0000000",
                                  b"%011o" % size, b"0" * 11, b" " * 8, b"0", b"", b"ustar", b"00", b"", b"", b"0000000",
                                  b"0000000", prefix))
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def pack(files):
    files = {n: b for n, b in files.items() if n != "SHA256SUMS"}
    ordered = sorted(files.items(), key=lambda x: x[0].encode())
    sums = "".join(f"{hashlib.sha256(b).hexdigest()}  {n}\n" for n, b in ordered)
    raw = b"".join(header(n, len(b)) + b + b"\0" * (-len(b) % 512)
                   for n, b in sorted({**files, "SHA256SUMS": sums.encode()}.items(), key=lambda x: x[0].encode()))
    return subprocess.run(["zstd", "-q", "-c"], input=raw + b"\0" * 1024, stdout=subprocess.PIPE, check=True).stdout


def name_files(run, files):
    run["files"] = [{"path": n, "sha256": hashlib.sha256(b).hexdigest()} for n, b in sorted(files.items())
                    if n not in ("run.json", "SHA256SUMS")]
    return (json.dumps(run, indent=2, ensure_ascii=False) + "\n").encode()


def restate(files):
    """run.json, too, names the files as they are now."""
    try:
        run = json.loads(files.get("run.json", b"{}"))
    except ValueError:
        return
    if "files" in run:
        files["run.json"] = name_files(run, files)


def unpack(path):
    raw = subprocess.run(["zstd", "-q", "-d", "-c", path], stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
        return {m.name: tar.extractfile(m).read() for m in tar if m.isfile()}


# --- submissions

class Submission:
    """A record and the files of its archives, by the path that the record gives them."""

    def __init__(self, name, record, archives):
        self.name, self.record, self.archives = name, record, archives
        self.place = f"results/{record['vendor']}/{name}.json"
        self.packed, self.restate = {}, False

    def copy(self):
        other = Submission(self.name, copy.deepcopy(self.record), {p: dict(f) for p, f in self.archives.items()})
        other.place, other.packed = self.place, dict(self.packed)
        return other

    def seal(self, path):
        """After a change of its files, as the one who made it would."""
        if self.restate:
            restate(self.archives[path])
        self.packed[path] = pack(self.archives[path])
        for e in self.record["evidence"]:
            if e["archive"] == path:
                e["sha256"] = hashlib.sha256(self.packed[path]).hexdigest()

    def write(self, root):
        for path, data in self.packed.items():
            os.makedirs(os.path.dirname(f"{root}/{path}"), exist_ok=True)
            with open(f"{root}/{path}", "wb") as f:
                f.write(data)
        os.makedirs(os.path.dirname(f"{root}/{self.place}"), exist_ok=True)
        with open(f"{root}/{self.place}", "w", encoding="utf-8") as f:
            json.dump(self.record, f, ensure_ascii=False, indent=1)
        return f"{root}/{self.place}"


def verify(program, root, path):
    p = subprocess.run([program, "verify", "--records", root, "--format", "json", path], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=60)
    try:
        return p.returncode, json.loads(p.stdout)["runs"][0], p.stderr.decode()
    except (ValueError, IndexError):
        return p.returncode, None, p.stderr.decode()


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
                             "accelerator_memory": "40.0", "accelerator_driver": "535.104.05", "machine": "NVIDIA DGX A100",
                             "case_sha256": hashlib.sha256(case_bytes).hexdigest()})
    print_["facts"] = [f for f in print_["facts"] if f["key"] not in ("data_sha256", "blas")]
    files = {"case.json": case_bytes}
    for n in range(nodes):
        place = f"{key}/round1/node{n}_noderank{n}"
        files[f"{place}/fingerprint.json"] = json.dumps(print_, ensure_ascii=False, indent=2).encode() + b"\n"
        files[f"{place}/nvidia_monitor.log"] = nvidia_monitor(begin, end, 8, r).encode()
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


def shipped_submission(records):
    with open(f"{records}/results/fpreport/tiny_llama.json", encoding="utf-8") as f:
        record = json.load(f)
    path = record["evidence"][0]["archive"]
    s = Submission("tiny_llama", record, {path: unpack(f"{records}/{path}")})
    with open(f"{records}/{path}", "rb") as f:
        s.packed[path] = f.read()
    return s


# --- what can be changed

def other_digit(r, text, at):
    return text[:at] + r.choice([d for d in "0123456789" if d != text[at]]) + text[at + 1:]


def change_digit(r, text):
    places = [i for i, c in enumerate(text) if c.isdigit()]
    return other_digit(r, text, r.choice(places)) if places else None


def change_character(r, text):
    """One letter or digit of a value becomes another of its kind."""
    places = [i for i, c in enumerate(text) if c.isascii() and c.isalnum()]
    if not places:
        return None
    at = r.choice(places)
    if text[at].isdigit():
        return other_digit(r, text, at)
    letter = r.choice([c for c in "abcdefghijklmnopqrstuvwxyz" if c != text[at].lower()])
    return text[:at] + (letter.upper() if text[at].isupper() else letter) + text[at + 1:]


def other_of(r, text, names):
    return r.choice([n for n in names if n != text])


def tables(s):
    return [b["table"] for b in s.record["performance"] if "table" in b]


def cell(s, r, wanted):
    """(row, column number, header) of a cell whose header is wanted."""
    places = [(row, c, t["columns"][c]) for t in tables(s) for row in t["rows"] for c in range(len(row))
              if wanted(t["columns"][c])]
    return r.choice(places) if places else None


FIGURES = ("token/p/s", "loss", "mem", "MFU")


def set_cell(s, r, wanted, how):
    place = cell(s, r, wanted)
    if not place:
        return None
    row, c, name = place
    new = how(row[c])
    if new is None or new == row[c]:
        return None
    old, row[c] = row[c], new
    return f"{name}: {old} -> {new}"


def figure(s, r):
    return set_cell(s, r, lambda n: n in FIGURES, lambda t: change_digit(r, t))


def memory(s, r):
    return set_cell(s, r, lambda n: n == "mem", lambda t: change_digit(r, t))


def swap(s, r):
    row = r.choice(r.choice(tables(s))["rows"])
    a, b = r.sample(range(1, len(row)), 2)
    if row[a] == row[b]:
        return None
    row[a], row[b] = row[b], row[a]
    return f"swapped: {row[a]} and {row[b]}"


def swap_rows(s, r):
    rows = r.choice(tables(s))["rows"]
    if len(rows) < 2:
        return None
    c = r.randrange(1, len(rows[0]))
    if rows[0][c] == rows[1][c]:
        return None
    rows[0][c], rows[1][c] = rows[1][c], rows[0][c]
    return f"swapped in column {c}: {rows[0][c]} and {rows[1][c]}"


def batch(s, r):
    v = r.choice(s.record["batch"])["values"][0]
    old, v["value"] = v["value"], change_digit(r, v["value"])
    return f"batch: {old} -> {v['value']}"


def precision(s, r):
    return set_cell(s, r, lambda n: n == "precision", lambda t: other_of(r, t, ["fp32", "bf16", "fp16", "fp8", "tf32"]))


def general(label, names):
    def change(s, r):
        for row in s.record["general"]["rows"]:
            if row[0] == label and "见" not in row[1]:
                old, row[1] = row[1], other_of(r, row[1], names)
                return f"{label}: {old} -> {row[1]}"
        return None
    return change


def accelerator(s, r):
    return set_cell(s, r, lambda n: n == "配置",
                    lambda t: re.sub("A100|CPU", other_of(r, re.match("A100|CPU", t)[0], ["H100", "A800", "S4000", "C500", "BI-V150"]), t))


def configuration(s, r):
    return set_cell(s, r, lambda n: n == "配置", lambda t: re.sub(r"\d+x\d+", lambda m: change_digit(r, m[0]), t))


def configuration_words(s, r):
    return set_cell(s, r, lambda n: n == "配置", lambda t: re.sub(r"(\d|单)卡", lambda m: other_of(r, m[1], ["2", "4", "16", "8"]) + "卡", t))


def plan(s, r):
    return set_cell(s, r, lambda n: n == "parallel", lambda t: change_digit(r, t))


def strategy(s, r):
    for e in s.record["environments"][0]["groups"]:
        if e["label"] == "并行策略":
            old, e["items"][0]["value"] = e["items"][0]["value"], change_digit(r, e["items"][0]["value"])
            return f"strategy: {old} -> {e['items'][0]['value']}"
    return None


def config_name(s, r):
    return set_cell(s, r, lambda n: n == "config", lambda t: re.sub(r"\dx\d", lambda m: change_digit(r, m[0]), t))


def environment(s, r):
    items = [i for g in s.record["environments"][0]["groups"] for i in g["items"] if i.get("label") and change_character(r, i["value"])]
    i = r.choice(items)
    old, i["value"] = i["value"], change_character(r, i["value"])
    return f"{i['label']}: {old} -> {i['value']}"


def aligned(s, r):
    return set_cell(s, r, lambda n: n == "是否精度对齐", lambda t: "False")


def evidence_sum(s, r):
    e = r.choice(s.record["evidence"])
    at = r.randrange(64)
    e["sha256"] = e["sha256"][:at] + r.choice([c for c in "0123456789abcdef" if c != e["sha256"][at]]) + e["sha256"][at + 1:]
    return f"sha256, digit {at}"


def evidence_path(s, r):
    e = r.choice(s.record["evidence"])
    old, e["archive"] = e["archive"], change_character(r, e["archive"])
    return f"archive: {old} -> {e['archive']}"


def evidence_row(s, r):
    e = r.choice(s.record["evidence"])
    key = r.choice(["table", "row"])
    old, e[key] = e[key], e[key] % 2 + 1
    return f"evidence {key}: {old} -> {e[key]}"


def identity(s, r):
    key = r.choice(["vendor", "case", "schema"])
    old, s.record[key] = s.record[key], change_character(r, s.record[key])
    return f"{key}: {old} -> {s.record[key]}"


def column(s, r):
    t = r.choice(tables(s))
    c = r.choice([i for i, n in enumerate(t["columns"]) if n in FIGURES])
    old, t["columns"][c] = t["columns"][c], change_character(r, t["columns"][c])
    return f"header: {old} -> {t['columns'][c]}"


RECORD = {"figure": figure, "memory": memory, "swapped cells": swap, "swapped rows": swap_rows, "batch size": batch,
          "precision": precision, "general precision": general("数据精度", ["fp32", "bf16", "fp16", "fp8"]),
          "accelerator": accelerator, "device": general("硬件设备简称", ["H100", "S4000", "C500", "A800"]),
          "configuration": configuration, "words of the configuration": configuration_words, "parallel plan": plan,
          "strategy": strategy, "configuration name": config_name, "model": general("模型", ["llama3_8b", "llama2_70b", "gpt3_13b"]),
          "environment": environment, "aligned": aligned, "evidence sum": evidence_sum, "evidence path": evidence_path,
          "evidence row": evidence_row, "identity": identity, "column header": column}


def member(s, r, pattern):
    places = [(p, n) for p, files in s.archives.items() for n in files if re.search(pattern, n)]
    return r.choice(places) if places else None


def edit(s, r, pattern, how):
    """Change the text of a file of one archive, which is sealed again."""
    place = member(s, r, pattern)
    if not place:
        return None
    path, name = place
    text = s.archives[path][name].decode()
    changed = how(text)
    if changed is None or changed[0] == text:
        return None
    s.archives[path][name] = changed[0].encode()
    s.seal(path)
    return f"{os.path.basename(name)}: {changed[1]}"


LOG = r"rank\d+\.out\.log$"
STEP = r'STEP_END|iteration +\d|^Step |timer\.py'


def log_field(pattern):
    def change(s, r):
        def how(text):
            lines = text.split("\n")
            places = [(i, m) for i, l in enumerate(lines) if re.search(STEP, l) for m in re.finditer(pattern, l)]
            if not places:
                return None
            i, m = r.choice(places)
            new = change_digit(r, m[1])
            if new == m[1]:
                return None
            lines[i] = lines[i][:m.start(1)] + new + lines[i][m.end(1):]
            return "\n".join(lines), f"line {i + 1}: {m[0].strip()}: {m[1]} -> {new}"
        return edit(s, r, LOG, how)
    return change


NUMBER = r"([-+]?\d+\.?\d*(?:[eE][-+]?\d+)?)"


def json_leaf(name):
    def change(s, r):
        def how(text):
            doc = json.loads(text)
            leaves = []
            def walk(v, at):
                for k, x in (v.items() if isinstance(v, dict) else enumerate(v)):
                    walk(x, at + [k]) if isinstance(x, (dict, list)) else leaves.append((v, k, at + [k]))
            walk(doc, [])
            leaves = [x for x in leaves if isinstance(x[0][x[1]], (str, int, float)) and not isinstance(x[0][x[1]], bool)]
            v, k, at = r.choice(leaves)
            old = v[k]
            new = change_character(r, str(old))
            if new is None:
                return None
            v[k] = new if isinstance(old, str) else float(new) if "." in new or "e" in new else int(new)
            named = f" ({v['key']})" if "key" in v and k != "key" else ""
            return json.dumps(doc, ensure_ascii=False, indent=2) + "\n", f"{'.'.join(map(str, at))}{named}: {old} -> {v[k]}"
        return edit(s, r, name + "$", how)
    return change


def monitor(s, r):
    def how(text):
        lines = text.split("\n")
        places = [i for i, l in enumerate(lines) if change_digit(r, l)]
        i = r.choice(places)
        old, lines[i] = lines[i], change_digit(r, lines[i])
        return "\n".join(lines), f"line {i + 1}: {old} -> {lines[i]}"
    return edit(s, r, r"_monitor\.log$", how)


def removed(s, r):
    def how(text):
        lines = text.split("\n")
        places = [i for i, l in enumerate(lines) if re.search(STEP, l)]
        i, n = r.choice(places), r.choice([1, 2, 5, 20])
        return "\n".join(l for k, l in enumerate(lines) if not (i <= k < i + n and re.search(STEP, l))), f"{n} steps from line {i + 1} on"
    return edit(s, r, LOG, how)


def seed(s, r):
    return edit(s, r, r"^case\.json$", lambda t: (re.sub(r'"seed": (\d+)', lambda m: f'"seed": {change_digit(r, m[1])}', t), "seed"))


def lost_file(s, r):
    path, name = member(s, r, ".")
    if name == "SHA256SUMS":
        return None
    del s.archives[path][name]
    s.seal(path)
    return f"without {name}"


def renamed(s, r):
    path = r.choice(list(s.archives))
    files = s.archives[path]
    old = next(n.split("/")[0] for n in files if "/" in n)
    new = change_digit(r, old)
    s.archives[path] = {re.sub("^" + re.escape(old), new, n): b for n, b in files.items()}
    s.seal(path)
    return f"folder {old} -> {new}"


ARCHIVE = {"loss": log_field(r'(?:"loss": |lm loss: |Loss: )' + NUMBER),
           "time of a step": log_field(r'(?:"step_time_s": |iteration \(ms\): |CurrSamplesPerSec=)' + NUMBER),
           "rate of a step": log_field(r'(?:"tokens/s": |RunningAvgSamplesPerSec=)' + NUMBER),
           "time stamp": log_field(r'(?:"time_ms": |\[)(\d{13}|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)'),
           "step number": log_field(r'(?:"global_steps": |iteration +|^Step |global_step=)(\d+)'),
           "samples": log_field(r'(?:"num_trained_samples": |consumed samples: +|global batch size: +)(\d+)'),
           "run.json": json_leaf(r"^run\.json"), "case.json": json_leaf(r"^case\.json"), "fingerprint": json_leaf(r"fingerprint\.json"),
           "monitor": monitor, "steps removed": removed, "seed": seed, "file lost": lost_file, "folder renamed": renamed}


def flip(s, r):
    path = r.choice(list(s.packed))
    data = bytearray(s.packed[path])
    at, bit = r.randrange(len(data)), r.randrange(8)
    data[at] ^= 1 << bit
    s.packed[path] = bytes(data)
    return f"bit {bit} of byte {at}"


KINDS = {**{f"record: {k}": v for k, v in RECORD.items()}, **{f"archive: {k}": v for k, v in ARCHIVE.items()}, "bytes: flip": flip}

# Why no check can know, or need not: (kind, what was changed, reason). The first that fits counts.
NEUTRAL = "no stated figure depends on it, to its last printed place"
NOISE = "below the noise of the curve; the last loss is held to the page, and only a second run can tell (fpreport reproduce)"
EXPLAINED = [
    ("record: (figure|memory|batch size)", r": ([-\d.]*)\d(/[\d.]+|%)? -> \1\d(/[\d.]+|%)?$", "one unit in the last printed place is tolerated"),
    ("record: (figure|memory)", r"mem: .*/", "the total of a card's memory may be the nominal one: 40 GB cards show 39.4 to 40.5 GiB"),
    ("record: swapped cells", r"config_", "a name among the hyperparameters is text like any other"),
    ("record: words of the configuration", r"两机16卡（2x8）", "16 cards in all is the same as 8 in each"),
    ("record: configuration name", r"config", "the name is of no card that the records know; its sizes are compared"),
    ("record: environment", r"加速卡型号|机器型号|CPU型号", "a spelling that still names the same model number"),
    ("archive: run.json", r"started|finished", "a run may wait before its first step; stamps without a zone tell no hour"),
    ("archive: run.json", r"command|host", "free text of the one who ran it"),
    ("archive: run.json", r"files|reason", "names a file that may come later, or is restated with the rest"),
    ("archive: fingerprint", r".", "a fact that the page does not state"),
    ("archive: monitor", r".", NEUTRAL),
    ("archive: (rate of a step|time of a step|samples|step number|time stamp)", r".", NEUTRAL),
    ("archive: loss", r".", NOISE),
    ("archive: file lost", r"sys_info|monitor|fingerprint|rank8", NEUTRAL),
    ("archive: case.json", r"title|task|name|reference|note|alignment", "titles and the alignment rule are taken from the published case"),
    ("archive: steps removed", r"rank8|timer", NEUTRAL),
]


def explain(kind, what):
    for k, pattern, why in EXPLAINED:
        if re.fullmatch(k, kind) and re.search(pattern, what):
            return why
    return None


def main(program, records, root, seed_text="20261120", count_text="200", restating=""):
    r, count = random.Random(int(seed_text)), int(count_text)
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(f"{root}/references")
    for kind in ("vendors", "accelerators", "models", "cases"):
        shutil.copytree(f"{records}/{kind}", f"{root}/{kind}")
    for f in os.listdir(f"{records}/references"):
        shutil.copy(f"{records}/references/{f}", f"{root}/references/{f}")
    tiny = shipped_submission(records)
    shipped = next(b for n, b in tiny.archives[tiny.record["evidence"][0]["archive"]].items() if n.endswith("fingerprint.json"))
    bases = [tiny] + generate(program, root, shipped.decode())
    for s in bases:
        for path in s.archives:
            s.seal(path)
        code, run, err = verify(program, root, s.write(root))
        bad = [f for f in (run or {}).get("findings", []) if f["severity"] != "notice"]
        if code or run["state"] != "verified" or bad:
            print(f"{s.name} is not verified before anything is changed: {run and run['state']} {bad} {err}")
            print(json.dumps([m for m in run["metrics"]], ensure_ascii=False, indent=1) if run else "")
            return 1
    caught, by_kind, missed, n = 0, {}, [], 0
    while n < count:
        kind = r.choice(list(KINDS))
        base = r.choice(bases)
        s = base.copy()
        s.restate = bool(restating)
        what = "nothing" if "NOTHING" in os.environ else KINDS[kind](s, r)
        if not what:
            continue
        n += 1
        code, run, _ = verify(program, root, s.write(root))
        bad = run is None or code or run["state"] != "verified" or any(f["severity"] != "notice" for f in run["findings"])
        base.write(root)
        for path in set(s.packed) - set(base.packed):
            os.unlink(f"{root}/{path}")
        caught += bool(bad)
        seen = by_kind.setdefault(kind, [0, 0])
        seen[0] += bool(bad)
        seen[1] += 1
        if not bad:
            missed.append((kind, base.name, what))
    also = ", run.json restated" if restating else ""
    print(f"seed {seed_text}{also}: {caught} of {count} changes caught ({100 * caught / count:.1f} %), {len(by_kind)} of {len(KINDS)} kinds")
    for kind, (k, of) in sorted(by_kind.items()):
        if k < of:
            print(f"  {kind}: {k} of {of}")
    unexplained = 0
    for kind, name, what in missed:
        why = explain(kind, what)
        unexplained += why is None
        print(f"  not caught: {name}, {kind}: {what}\n    {why or 'NOT EXPLAINED'}")
    return 1 if caught < SHARE * count or unexplained else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
