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
import json, os, random, shutil, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "reproduce")]
from mutation_archive import ARCHIVE, flip
from mutation_generated import generate
from mutation_reasons import explain
from mutation_record import RECORD
from mutation_submissions import shipped_submission, verify

SHARE = 0.95
KINDS = {**{f"record: {k}": v for k, v in RECORD.items()}, **{f"archive: {k}": v for k, v in ARCHIVE.items()}, "bytes: flip": flip}


def make_bases(program, records, root):
    """All submissions, below root with the records that they need."""
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(f"{root}/references")
    for kind in ("vendors", "accelerators", "models", "cases"):
        shutil.copytree(f"{records}/{kind}", f"{root}/{kind}")
    for f in os.listdir(f"{records}/references"):
        shutil.copy(f"{records}/references/{f}", f"{root}/references/{f}")
    tiny = shipped_submission(records)
    shipped = next(b for n, b in tiny.archives[tiny.record["evidence"][0]["archive"]].items() if n.endswith("fingerprint.json"))
    return [tiny] + generate(program, root, shipped.decode())


def is_noticed(code, run):
    return run is None or code or run["state"] != "verified" or any(f["severity"] != "notice" for f in run["findings"])


def is_verified(program, root, s):
    """Before anything is changed, or nothing is told by what is caught."""
    for path in s.archives:
        s.seal(path)
    code, run, err = verify(program, root, s.write(root))
    if not is_noticed(code, run):
        return True
    print(f"{s.name} is not verified before anything is changed: {run and run['state']} {run and run['findings']} {err}")
    print(json.dumps(run["metrics"], ensure_ascii=False, indent=1) if run else "")
    return False


def try_one(program, root, base, s):
    """Is the changed one noticed? Leaves the base where it was."""
    code, run, _ = verify(program, root, s.write(root))
    base.write(root)
    for path in set(s.packed) - set(base.packed):
        os.unlink(f"{root}/{path}")
    return bool(is_noticed(code, run))


def change_all(program, root, bases, r, count, restating):
    """(kind, name of the submission, what was changed, is it caught) of each change."""
    tried = []
    while len(tried) < count:
        kind = r.choice(list(KINDS))
        base = r.choice(bases)
        s = base.copy()
        s.restate = restating
        what = "nothing" if "NOTHING" in os.environ else KINDS[kind](s, r)
        if what:
            tried.append((kind, base.name, what, try_one(program, root, base, s)))
    return tried


def report(tried):
    """Prints the shares of the kinds and all that was missed; how much of that has no reason."""
    for kind in sorted({t[0] for t in tried}):
        seen = [t[3] for t in tried if t[0] == kind]
        if not all(seen):
            print(f"  {kind}: {sum(seen)} of {len(seen)}")
    unexplained = 0
    for kind, name, what, caught in tried:
        why = None if caught else explain(kind, what)
        if not caught:
            unexplained += why is None
            print(f"  not caught: {name}, {kind}: {what}\n    {why or 'NOT EXPLAINED'}")
    return unexplained


def main(program, records, root, seed_text="20261120", count_text="200", restating=""):
    r, count = random.Random(int(seed_text)), int(count_text)
    bases = make_bases(program, records, root)
    if not all(is_verified(program, root, s) for s in bases):
        return 1
    tried = change_all(program, root, bases, r, count, bool(restating))
    caught, kinds = sum(t[3] for t in tried), len({t[0] for t in tried})
    also = ", run.json restated" if restating else ""
    print(f"seed {seed_text}{also}: {caught} of {count} changes caught ({100 * caught / count:.1f} %), {kinds} of {len(KINDS)} kinds")
    return 1 if report(tried) or caught < SHARE * count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
