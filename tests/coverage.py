"""What gcov -b -c -t says, as a table: coverage.py FILE [--list] (tests/coverage.sh).

A branch counts when it is in a file of ours. `call` lines and those of the C library's macros are gcov's own."""
import re
import sys

files, name, line = {}, None, None
for text in open(sys.argv[1], encoding="utf-8", errors="replace"):
    source = re.match(r" *-: *0:Source:(.*)", text)
    if source:
        name = source[1]
        continue
    row = re.match(r" *([^:]+): *(\d+):(.*)", text)
    if row and name and name.endswith(".c"):
        line = (int(row[2]), row[3].strip())
        lines, _ = files.setdefault(name, ({}, []))
        if row[1].strip() != "-":
            lines[line[0]] = not row[1].strip().startswith(("#", "="))
        continue
    branch = re.match(r"branch +(\d+) (taken (\d+)|never executed)", text)
    if branch and name and name.endswith(".c"):
        files[name][1].append((*line, bool(branch[3]) and int(branch[3]) > 0))

total = [0, 0, 0, 0]
print(f"{'file':40} {'lines':>12} {'branches':>14}")
for name, (lines, branches) in sorted(files.items()):
    counts = [sum(lines.values()), len(lines), sum(b[2] for b in branches), len(branches)]
    total = [a + b for a, b in zip(total, counts)]
    print(f"{name:40} {counts[0]:5} of {counts[1]:4} {counts[2]:5} of {counts[3]:5}")
print(f"{'all':40} {total[0]:5} of {total[1]:4} {total[2]:5} of {total[3]:5}")
if "--list" in sys.argv:
    for name, (_, branches) in sorted(files.items()):
        seen = {}
        for n, text, taken in branches:
            seen.setdefault((n, text), []).append(taken)
        for (n, text), taken in sorted(seen.items()):
            if not all(taken):
                print(f"{name}:{n}: {taken.count(False)} of {len(taken)}: {text}")
