"""What is wrong with the shipped records, by rules that share no code with fpreport.

  records.py models RECORDS             exact N from the dimensions
  records.py links RECORDS              every id that is named exists; no spelling is ambiguous
  records.py schemas RECORDS            all records against records/schema/ (python3-jsonschema)
  records.py mutate RECORDS DIR         writes DIR/<kind>/N.json, records with one fault each
  records.py agree RECORDS DIR LOG      LOG is what fpreport said about them: same verdicts?
  records.py same RECORD IMPORTED       a record, rendered and imported again, but for the prose
                                        that fpreport adds
  records.py page RECORD IMPORTED       figures and facts of a published page, as imported
"""
import copy, glob, json, os, random, re, sys

KINDS = {"vendor": "vendors", "accelerator": "accelerators", "model": "models", "case": "cases"}


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


DEEPER = {"result": "results/*/*.json", "reproduction": "reproductions/*/*/*.json"}


def files(root, kind):
    return sorted(glob.glob(f"{root}/{DEEPER.get(kind) or KINDS[kind] + '/*.json'}"))


def every(root, kind):
    return [load(p) for p in files(root, kind)]


def complain(problems):
    for p in problems:
        print(p)
    return 1 if problems else 0


def llama(s):
    """Embedding and head; per block q and o, k and v, gate, up and down, two norms; last norm."""
    h, kv = s["hidden"], s.get("kv_heads", s["heads"])
    block = 2 * h * h + 2 * h * (h // s["heads"] * kv) + 3 * h * s["ffn"] + 2 * h
    return (1 if s.get("tied_embeddings") else 2) * s["vocabulary"] * h + s["layers"] * block + h


# CLIP ViT-L/14 at 336 pixels, where a record does not say what sees.
VISION = {"layers": 24, "hidden": 1024, "ffn": 4096, "image_size": 336, "patch_size": 14}


def clip(v):
    """Class row, patches, positions; a block's q, k, v, o, two norms and two linears with biases; norms around them."""
    h, f, patch, tokens = v["hidden"], v["ffn"], v["patch_size"], (v["image_size"] // v["patch_size"]) ** 2 + 1
    block = 4 * (h * h + h) + 2 * f * h + 4 * h + h + f
    return h + 3 * patch * patch * h + tokens * h + 2 * h + v["layers"] * block + 2 * h


def beside(model):
    """Parameters that the Llama formula does not count."""
    h = model["shape"]["hidden"]
    if model["id"].startswith("llava") or "vision" in model["shape"]:  # vision tower, projector of two linear layers
        vision = model["shape"].get("vision", VISION)
        return clip(vision) + vision["hidden"] * h + h + h * h + h
    if model["id"] == "chatglm3_6b":  # biases of q, k and v
        return 28 * (4096 + 2 * 2 * 128)
    return 0


def models(root):
    problems, shaped = [], 0
    for m in every(root, "model"):
        if "shape" not in m:
            continue
        shaped += 1
        n = llama(m["shape"]) + beside(m)
        if n != m.get("exact_parameters"):
            problems.append(f"{m['id']}: {n}, the record says {m.get('exact_parameters')}")
        if m["nominal_parameters"] > 1e9 and abs(n / m["nominal_parameters"] - 1) > 0.08:
            problems.append(f"{m['id']}: nominal {m['nominal_parameters']} is far from {n}")
    return complain(problems + ([] if shaped >= 10 else ["hardly any model has a shape"]))


def fold(text):
    text = "".join(chr(ord(c) - 0xFEE0) if "！" <= c <= "～" else c for c in text)
    return re.sub(r"[\s*\\`]", "", text).lower()


def ambiguous(records):
    owner, problems = {}, []
    for r in records:
        name = r["name"] if isinstance(r["name"], str) else r["name"]["zh"]
        for spelling in {fold(s) for s in [r["id"], name] + r.get("aliases", [])}:
            if owner.setdefault(spelling, r["id"]) != r["id"]:
                problems.append(f"'{spelling}' is both {owner[spelling]} and {r['id']}")
    return problems


def links(root):
    ids = {k: {r["id"] for r in every(root, k)} for k in KINDS}
    problems = []
    def need(kind, name, who):
        if name not in ids[kind]:
            problems.append(f"{who}: no {kind} '{name}'")
    for a in every(root, "accelerator"):
        need("vendor", a["vendor"], a["id"])
        if not a.get("peaks") and not a.get("peak_note"):
            problems.append(f"{a['id']}: neither a peak nor why there is none")
        if any(not re.search(r"\d|datasheet", p["source"]) for p in a.get("peaks", [])):
            problems.append(f"{a['id']}: a peak has no source to look up")
    for c in every(root, "case"):
        need("model", c["model"], c["id"])
    for r in every(root, "result"):
        need("vendor", r["vendor"], "results")
        need("case", r["case"], r["vendor"])
    for r in every(root, "reproduction"):
        need("case", r["case"], r["id"])
        for path in (f"results/{r['vendor']}/{r['case']}.json", r["archive"]):
            if not os.path.exists(f"{root}/{path}"):
                problems.append(f"{r['id']}: no {path}")
    problems += ambiguous(every(root, "model")) + ambiguous(every(root, "accelerator"))
    return complain(problems)


def validators(root):
    import jsonschema
    out = {}
    for kind in list(KINDS) + list(DEEPER):
        schema = load(f"{root}/schema/{kind}.schema.json")
        jsonschema.Draft202012Validator.check_schema(schema)
        out[kind] = jsonschema.Draft202012Validator(schema)
    return out


def schemas(root):
    problems, n = [], 0
    for kind, v in validators(root).items():
        for path in files(root, kind):
            n += 1
            problems += [f"{path}: {list(e.absolute_path)}: {e.message}" for e in v.iter_errors(load(path))]
    print(f"{n} records")
    return complain(problems + ([] if n > 50 else ["too few records"]))


VALUES = [None, True, False, 0, 1, -1, 1.5, 1e300, 2**53 + 2, 12, "", "x", "a b", "../x", "/x", "x\\y", "2024-02-28",
          "2024-13-01", "0" * 64, "F" * 64, "npy", "last", "y" * 101, [], [1], ["x"], [[]], [["x", {"as_published": "1.2.3"}]],
          [["x", {"as": "1"}]], {}, {"zh": "a"}, {"zh": "a", "en": "b"}, {"en": "b"}, {"zh": 1}, {"as_published": "x"}]


def places(value, at=()):
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, v in inner:
        yield from places(v, at + (key,))


def damage(r, record):
    record = copy.deepcopy(record)
    at = r.choice([p for p in places(record) if p])
    parent = record
    for key in at[:-1]:
        parent = parent[key]
    how = r.random()
    if how < 0.2:
        del parent[at[-1]]
    elif how < 0.3 and isinstance(parent, dict):
        parent[r.choice(["colour", "ID", "Schema", "zh"])] = r.choice(VALUES)
    else:
        parent[at[-1]] = r.choice(VALUES)
    return record


def mutate(root, out):
    r = random.Random(20241120)
    for kind in list(KINDS) + list(DEEPER):
        os.makedirs(f"{out}/{kind}")
        records = every(root, kind)
        for n in range(400):
            with open(f"{out}/{kind}/{n}.json", "w", encoding="utf-8") as f:
                json.dump(damage(r, r.choice(records)), f, ensure_ascii=False)


# Rules that need more than one field, or more of a path than that it is one; the schema does not know them.
BEYOND = ("is not a number, expected a figure", "expected either \"text\" or \"table\"", "expected evidence/….tar.zst")


def agree(root, out, log):
    said = {}
    for line in open(log, encoding="utf-8"):
        path, _, rest = line.partition(".json:")
        said.setdefault(path + ".json", []).append(rest.strip())
    problems, refused = [], 0
    for kind, v in validators(root).items():
        for path in sorted(glob.glob(f"{out}/{kind}/*.json")):
            lines = [l for l in said.get(path, ["silence"]) if not any(b in l for b in BEYOND)]
            ok, valid = lines in (["ok"], []), v.is_valid(load(path))
            refused += not ok
            if ok != valid:
                problems.append(f"{kind}: the schema says {valid}, fpreport says {lines}: {open(path).read()[:300]}")
    print(f"{refused} refused by both")
    return complain(problems + ([] if refused > 500 else ["too few were refused"]))


def shared_run(a, b, least):
    """The first run of `least` characters that stands in both, of prose with Chinese in it."""
    for i in range(len(a) - least + 1):
        piece = a[i:i + least]
        if piece in b and re.search("[一-鿿]{6}", piece):
            return piece
    return None


def compare(what, ours, theirs):
    return [] if ours == theirs else [f"{what}: {json.dumps(ours, ensure_ascii=False)} is not {json.dumps(theirs, ensure_ascii=False)}"]


def prose(items):
    return [i for i in items if i.get("plain")]


def group_facts(g):
    return {"label": g["label"], "items": g["items"]}


def compare_groups(what, ours, theirs):
    problems = compare(what, [g["label"] for g in ours], [g["label"] for g in theirs])
    for a, b in zip(ours, theirs):
        if not prose(b["items"]):
            problems += compare(f"{what} {b['label']}", a["items"], b["items"])
            continue
        # Instructions are told in our own words; what has to be typed is carried over exactly.
        ours_text = "\n".join(i["value"] for i in a["items"])
        for word in re.findall(r"\"[^\"]+\"|/[\w./]+|[\w.]+\.sh|\w+=\w+", "\n".join(i["value"] for i in prose(b["items"])), re.ASCII):
            if word not in ours_text:
                problems.append(f"{what} {b['label']}: {word} is missing")
    return problems


def zh(text):
    return text if isinstance(text, str) else text["zh"]


def page(record, imported):
    ours, theirs = load(record), load(imported)
    problems = []
    for key in ("vendor", "case", "title", "run_title", "preamble", "extras"):
        problems += compare(key, ours.get(key), theirs.get(key))
    problems += compare("environments", [e["title"] for e in ours["environments"]], [e["title"] for e in theirs["environments"]])
    for a, b in zip(ours["environments"], theirs["environments"]):
        problems += compare_groups("environment", a["groups"], b["groups"])
    problems += compare_groups("run", ours.get("run_groups", []), theirs.get("run_groups", []))
    without_text = lambda items: [{k: v for k, v in i.items() if k != "text"} for i in items]
    problems += compare("batch", without_text(ours["batch"]), without_text(theirs["batch"]))
    problems += compare("general", ours["general"]["columns"], theirs["general"]["columns"])
    problems += compare("general", [row[:2] for row in ours["general"]["rows"]], [row[:2] for row in theirs["general"]["rows"]])
    tables = lambda r: [b["table"] for b in r["performance"] if "table" in b]
    problems += compare("tables", tables(ours), tables(theirs))
    cells = sum(len(row) for t in tables(ours) for row in t["rows"])
    published = "\n".join(zh(b["text"]) for b in theirs["performance"] if "text" in b)
    notes = [b["text"] for b in ours["performance"] if "text" in b]
    for figure in re.findall(r"\d+(?:\.\d+)?%", published):
        for lang in ("zh", "en"):
            if not any(figure in n[lang] for n in notes):
                problems.append(f"the notes ({lang}) do not say {figure}")
    remarks = [row[2] for row in theirs["general"]["rows"]] + [i["text"] for i in theirs["batch"]]
    copied = shared_run("\n".join(n["zh"] for n in notes) + "\n" + "\n".join(row[2] for row in ours["general"]["rows"]),
                        published + "\n" + "\n".join(map(zh, remarks)), 20)
    if copied:
        problems.append(f"not in our own words: {copied}")
    print(f"{cells} cells")
    return complain(problems)


def same(record, imported):
    ours, theirs = load(record), load(imported)
    without_text = lambda items: [{k: v for k, v in i.items() if k != "text"} for i in items]
    for r in (ours, theirs):
        r["batch"] = without_text(r["batch"])
        r["performance"] = [{"text": zh(b["text"])} if "text" in b else b for b in r["performance"]]
    del ours["origin"]  # pages do not say where they came from
    return complain([p for key in {**ours, **theirs} for p in compare(key, ours.get(key), theirs.get(key))])


if __name__ == "__main__":
    sys.exit({"same": same, "models": models, "links": links, "schemas": schemas, "mutate": mutate, "agree": agree, "page": page}[sys.argv[1]](*sys.argv[2:]))
