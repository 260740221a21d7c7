#!/usr/bin/env python3
"""Pages that went wrong: mutate.py SEED COUNT OUT PAGE... writes OUT/acme/mNNNN/README.md.

Each is one of the pages with a few lines deleted, doubled, moved, indented or broken, or with
lines put in that begin or end Markdown blocks. The same seed gives the same pages.
"""
import os
import random
import sys

ODD = ["- ##### 硬件环境", "#### X环境配置", "* 通用指标", "* 性能指标", "### 运行情况",
       "* 输入批尺寸", "| a | b |", "|---|---|", "text line", "    code", "```", "<!-- x", "-->",
       "> quote", "1. one", "2. two", "- b: c", "  - b: c", "      - deep: x", "---", "===",
       "* * *", "*cap*", "|", "~", "[a]: http://x", "<div>", "</div>", "- ", "\t- tab：x", "  para",
       "10) ten", "| 配置 | mem |", "| 指标名称 | 指标值 |", "##### foo", "- ##### bar", "", "\\",
       "a\\", "`x|y`", "| `a|b` |", "<b>", "&amp;", "- # h", "- - x", "- 1. y", "  ```", "+ plus",
       "-", "*", "#", "# ", "<?php", "<script>"]
BREAKERS = "|*-#>`\\: ：1."


def break_line(line):
    at = random.randrange(len(line) + 1)
    return line[:at] + random.choice(BREAKERS) + line[at:]


def mutate(lines):
    """One change somewhere."""
    at = random.randrange(len(lines))
    kind = random.randrange(7)
    if kind == 0 and len(lines) > 1:
        del lines[at]
    elif kind == 1:
        lines.insert(at, random.choice(lines))
    elif kind == 2:
        lines.insert(at, random.choice(ODD))
    elif kind == 3:
        lines[at] = " " * random.randrange(8) + lines[at].lstrip()
    elif kind == 4:
        lines[at] += random.choice(ODD)
    elif kind == 5:
        end = min(len(lines), at + random.randint(1, 8))
        part = lines[at:end]
        del lines[at:end]
        to = random.randrange(len(lines) + 1)
        lines[to:to] = part
    else:
        lines[at] = break_line(lines[at])


def main():
    seed, count, out = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    random.seed(seed)
    for k in range(count):
        with open(random.choice(sys.argv[4:]), encoding="utf-8") as f:
            lines = f.read().split("\n")
        for _ in range(random.randint(1, 6)):
            mutate(lines)
        folder = "%s/acme/m%04d" % (out, k)
        os.makedirs(folder)
        with open(folder + "/README.md", "w", encoding="utf-8") as f:
            f.write("\n".join(lines))


main()
