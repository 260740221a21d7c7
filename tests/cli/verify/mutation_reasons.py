"""Why no check can know, or need not, of a change that mutations.py made."""
import re

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
    ("record: environment", r"OS版本", "of a run in a container the page may give the machine's system; the difference is shown"),
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
