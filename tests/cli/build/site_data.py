"""What the site has for programs: CSV, JSON and pages say the same, and fit their schemas (site.py data)."""
import csv
import io
import json
import pathlib
import re

WORDS = {"withheld", "missing", "out of memory", "not run", "not stated", "not comparable", "no evidence", "not applicable"}
PUBLISHED = {"stated", "value", "before", "now", "first_stated", "second_stated", "precision"}  # columns in which "/" may stand


def check_data(root):
    schemas = {}
    for path in (root / "data/schema").glob("*.schema.json"):
        schema = json.loads(path.read_text("utf-8"))
        schemas[schema["properties"]["schema"]["const"]] = schema
    try:
        import jsonschema
    except ImportError:
        jsonschema = None
    def rows_of(path):
        table = list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8"), newline=""), strict=True))
        return [dict(zip(table[0], row)) for row in table[1:]]

    number = lambda text: re.fullmatch(r"[-+]?(\d[\d,]*\.?\d*|\.\d+)([eE][-+]?\d+)?", text)
    def guard(text):
        """No part of a cell begins as a formula does, also for who takes cells apart at semicolons or tabs."""
        signs = lambda part, odd: part[:1] and part[0] in "=+-@＝＋－＠" + odd and not number(part.rstrip(";\t\r\n"))
        parts = [part for part in re.split(r"(?<=[;\t\r\n])", text) if part]
        odd = [len(part.strip(" ")) > 1 and signs(part.lstrip(" "), "" if i else "\t\r") and (not i or part.lstrip(" ")[1] not in ";\t\r\n")
               for i, part in enumerate(parts)]
        return "".join(("'" if o else "") + part for o, part in zip(odd, parts))

    def others(path, rows):
        """What the CSV says otherwise: no cell of it is blank, and what is null or a sign has a word."""
        shown = rows_of(path)
        if len(shown) != len(rows):
            yield f"{path}: {len(shown)} rows, expected {len(rows)}"
        for of, row in zip(shown, rows):
            for key, text in row.items():
                sign = key in PUBLISHED or key.endswith("_stated")
                if not of[key] or of[key] != guard(text or "") and (of[key] not in WORDS or text and not sign) or sign and text == "/" and of[key] != "withheld":
                    yield f"{path}: {key} is {of[key]!r}, {text!r} in JSON"
    for path in sorted([*(root / "data").rglob("*.json"), *root.glob("result/*/*/tables.json"), *root.glob("result/*/*/curves.json")]):
        if "schema" in path.parts:
            continue
        value = json.loads(path.read_text("utf-8"))
        if jsonschema:
            for error in jsonschema.Draft202012Validator(schemas[value["schema"]]).iter_errors(value):
                yield f"{path}: {error.message}"
        if "rows" in value:
            yield from others(path.with_suffix(".csv"), value["rows"])
        for name in ("figures", "environment", "agreement", "plan", "evidence", "measured", "mfu", "published") if path.name == "tables.json" else ():
            beside = path.with_name(name + ".csv")
            if beside.exists() != bool(value[name]):
                yield f"{path}: {name}.csv is there, or is not"
            elif value[name]:
                yield from others(beside, value[name])
    shown = {path.parent.relative_to(root / "en/result") for path in (root / "en/result").rglob("index.html")}
    index = json.loads((root / "data/index.json").read_text("utf-8"))
    listed = index["results"]
    if {pathlib.Path(one["id"]) for one in listed + index["removed"]} != shown:
        yield "data/index.json: lists other results than there are pages"
    for one in listed:
        if json.loads((root / one["verdict"]).read_text("utf-8"))["runs"][0]["state"] != one["state"]:
            yield f"data/index.json: {one['id']} is another state in its verdict"


LIKENESS = {"differs": "different", "the same": "the same", "the same in some rows": "partly the same", "not comparable": None}


def check_criteria(root):
    """In what two results are alike is in data as their page has it, and of rows side by side what their tables say."""
    for path in sorted(root.glob("en/compare/*..*/index.html")):
        name, text = path.parent.name, path.read_text("utf-8")
        compared, criteria = (json.loads((root / f"data/{folder}/{name}.json").read_text("utf-8"))["rows"] for folder in ("compare", "criteria"))
        lines = [[re.sub("<[^>]*>", "", cell).strip("≠=≈ ") for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
                 for row in re.findall('<tr class="criterion.*', text)]
        of_rows = [one for one in criteria if "#" in one["first"]]
        if compared:
            said = {(one["first_value"] or "not stated", one["second_value"] or "not stated", one["likeness"]) for one in of_rows if one["criterion"] == "precision"}
            shown = {(a, b, LIKENESS[like]) for what, a, b, like in lines if what == "Precision"}
        else:
            said = [(*(one[side + "_value"].replace("; ", ", ") if one["criterion"] in ("case", "mfu_factor") else None for side in ("first", "second")), one["likeness"])
                    for one in criteria if one not in of_rows and one["criterion"] != "precision"]
            shown = [(*((a, b) if what in ("case", "MFU factor") else (None, None)), LIKENESS[like]) for what, a, b, like in lines]
        if not shown or (not shown <= said if compared else shown != said):
            yield f"{path}: the page shows {shown}, its data {said}"
        if {(one["first"], one["second"]) for one in compared} != {(one["first"], one["second"]) for one in of_rows}:
            yield f"{path}: data/criteria has other rows than data/compare"


def number(text):
    """A cell of a page as a number: "−20.600 pp" is -20.6; None: it is none, or words."""
    found = re.match(r"([−+±]?)([\d,.]+)(?: ?(?:pp|%|[\d,]*/.*))?(?: = .*)?$", text.strip())
    return None if not found else float(found[2].replace(",", "")) * (-1 if found[1] == "−" else 1)


def check_stated(root):
    """Numbers in a result's table of figures, column by column, are those of its data."""
    seen = there = 0
    for path in sorted(root.glob("en/result/*/*/index.html")):
        beside = root / path.parent.relative_to(root / "en") / "tables.json"
        figures = json.loads(beside.read_text("utf-8"))["figures"] if beside.exists() else []
        there += sum(f["difference"] is not None for f in figures)
        for place, body in re.findall(r'<tbody id="f([\d-]+)">(.*?)</tbody>', path.read_text("utf-8"), re.S):
            said = [f for f in figures if f["place"] == place.replace("-", ".")]
            for row in re.findall(r'<tr><th scope="row">.*?</tr>', body, re.S):
                shown = {label.lower(): number(re.sub("<small.*?</small>|<[^>]*>", "", cell))
                         for label, cell in re.findall(r'<td[^>]*data-label="(Recomputed|Reproduced|Difference|Tolerance)">(.*?)</td>', row)}
                seen += sum(value is not None for value in shown.values())
                if not any(all(value is None or number((f[key] or "").replace("-", "−")) == value for key, value in shown.items()) for f in said):
                    yield f"{path}: {place}: no figure of the data has {shown}"
    if there and not seen:
        yield f"{root}: no number in any table of figures"


def cells_of(row):
    """Of a table row, by the names of its columns: "16 (2×8)"."""
    return {label.split(",")[0]: re.sub("<[^>]*>", "", cell).strip() for label, cell in re.findall(r'data-label="([^"]*)">(.*?)</t[hd]>', row)}


def check_beside(root):
    """What stands in the tables of scaling, and below drawings of several runs, is in data."""
    scaling, results = (json.loads((root / f"data/{name}.json").read_text("utf-8"))["rows"] for name in ("scaling", "results"))
    known = {(f"{one['cards']} ({one['nodes']}×{one['cards_per_node']})", one["mfu_stated"], f"{one['micro_batch']} × {one['gradient_accumulation']}" if one["micro_batch"] else "not stated")
             for one in scaling}
    plans = {one["plan"] or "not stated" for one in scaling}
    logged = {(one["loss_steps_logged"], one["loss_steps_compared"] or "not comparable", one["loss_alignment"] or "not comparable") for one in results}
    for path in sorted([*root.glob("en/model/*/index.html"), *root.glob("en/compare/*/index.html"), *root.glob("en/reference/*/index.html")]):
        for row in re.findall(r'<tr><th scope="row".*', path.read_text("utf-8")):
            of = cells_of(row)
            if "Logged steps" in of:
                found = (of["Logged steps"].replace(",", ""), of["Compared steps"].replace(",", ""), of["Outcome"].strip("✓✕ "))
                if found not in logged:
                    yield f"{path}: {found} is in no row of data/results"
            elif "Scaling efficiency" in of:
                found = of["Cards"], of["MFU"].split("%")[0] + "%" if "%" in of["MFU"] else None, of["Micro-batch × accumulation"]
                if found not in known or of["Parallel plan"] not in plans:
                    yield f"{path}: {found}, {of['Parallel plan']} is in no row of data/scaling"
