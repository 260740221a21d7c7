"""docs/FIELDS.md, run: its generated part and its examples.

  records_fields.py fields DOCUMENT             prints the generated part
  records_fields.py examples DOCUMENT DIR       writes DIR/N/example.json, DIR/N/kind, DIR/N/expected
"""
import json, os, re, sys

BEGIN, END = "<!-- fpreport fields: begin -->\n", "<!-- fpreport fields: end -->\n"


def fields(document):
    sys.stdout.write(document.split(BEGIN)[1].split(END)[0])


def examples(document, out):
    fences = re.findall(r"^```(\w*(?: bad)?)\n(.*?)^```$", document, re.S | re.M)
    n = 0
    for (info, text), (after, said) in zip(fences, fences[1:] + [("", "")]):
        if not info.startswith("json"):
            continue
        if info == "json bad" and after != "text":
            sys.exit(f"a bad example without its message:\n{text}")
        n += 1
        kind = re.search(r'"fpreport\.(\w+)/1"', text).group(1)
        folder = f"{out}/{n:02d}-{kind}-{'bad' if info == 'json bad' else 'good'}"
        os.makedirs(folder)
        for name, content in (("example.json", text), ("kind", kind + "\n"),
                              ("expected", said if info == "json bad" else "example.json: ok\n")):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as f:
                f.write(content)


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as f:
        text = f.read()
    fields(text) if sys.argv[1] == "fields" else examples(text, sys.argv[3])
