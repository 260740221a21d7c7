"""Changes of mutations.py in a record: functions of a submission and a random generator, which say
what they changed, or None where there is nothing to change."""
import re

from mutation_text import change_character, change_digit, other_of


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
