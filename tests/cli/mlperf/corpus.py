"""Compares verdicts about MLPerf results with a corpus that has answers (expected-*.tsv, mutants-*.tsv).

    corpus.py CORPUS COMMAND      prints each difference; exit 1 when there is any
"""
import collections
import csv
import json
import math
import os
import subprocess
import sys

corpus, command = sys.argv[1], sys.argv[2]
faults = []


def table(name):
    with open(os.path.join(corpus, name), encoding='utf-8') as f:
        return list(csv.DictReader(f, delimiter='\t', quoting=csv.QUOTE_NONE))


def verify(paths, ruleset=None):
    args = [command, 'verify', '-q', '--format', 'json', '--fail-on', 'never']
    if ruleset:
        args += ['--ruleset', ruleset]
    r = subprocess.run(args + paths, cwd=corpus, capture_output=True, check=False)
    if r.returncode:
        faults.append(f'exit {r.returncode} of {" ".join(paths[:3])}: {r.stderr.decode()[:300]}')
        return []
    return json.loads(r.stdout)['runs']


def differ(what, key, want, got):
    faults.append(f'{what}: {key}: expected {want!r}, found {got!r}')


def same_number(want, got, tolerance=1e-9, absolute=0.0):
    if want == '' or want is None:
        return got is None
    if got is None:
        return False
    want = float(want)
    return math.isclose(want, float(got), rel_tol=tolerance, abs_tol=absolute)


def number(what, key, want, got, tolerance=1e-9, absolute=0.0):
    if not same_number(want, got, tolerance, absolute):
        differ(what, key, want, got)


def text(what, key, want, got):
    if (want or None) != (got or None):
        differ(what, key, want, got)


def counted(findings):
    n = collections.Counter(f'{f["rule"]}/{f["severity"]}' for f in findings)
    return ' '.join(k if c == 1 else f'{k}*{c}' for k, c in sorted(n.items()))


# ---- real packages
logs = {r['file']: r for r in table('expected-logs.tsv')}
dirs = {r['dir']: r for r in table('expected-dirs.tsv')}
packages = sorted({'/'.join(d.split('/')[:2]) for d in dirs})
runs = []
for p in packages:
    runs += verify([p])
found, seen = collections.Counter(), 0
for run in runs:
    for f in run['findings']:
        found[(f['file'], f['rule'], f['severity'])] += 1
    m = run['mlperf']
    if m['kind'] != 'directory':
        continue
    seen += 1
    want = dirs.get(run['file'])
    if not want:
        differ(run['file'], 'directory', 'none', 'one')
        continue
    what = run['file']
    for key in ('ruleset', 'benchmark', 'division', 'seeds'):
        text(what, key, want[key], m[key])
    for key, got in (('files', m['runs']), ('runs', m['runs_required'])):
        number(what, key, want[key], got)
    number(what, 'failing', want['failing'], sum(x['verdict'] == 'FAIL' for x in m['logs']))
    rcp = m['rcp']
    text(what, 'rcp', want['rcp'], rcp['verdict'])
    text(what, 'how', want['how'], rcp['how'])
    for key in ('batch_size', 'mean', 'reference_mean', 'factor', 'stated_factor'):
        number(what, key, want[key], rcp[key])
    number(what, 'minimum', want['minimum'], rcp['minimum'], 0, 1e-4)
    number(what, 'score', want['score'], m['score']['minutes'])
    number(what, 'unscaled', want['unscaled'], m['score']['unscaled'])
    number(what, 'energy', want['energy_j'], m['energy_j'])
    for x in m['logs']:
        w = logs.get(f'{what}/{x["file"]}')
        if not w:
            differ(what, x['file'], 'none', 'a log')
            continue
        name = w['file']
        text(name, 'verdict', w['verdict'], x['verdict'])
        text(name, 'status', w['status'], x['status'])
        for key in ('messages', 'warnings', 'minutes', 'samples'):
            number(name, key, w[key], x[key])
if seen != len(dirs):
    differ('packages', 'directories', len(dirs), seen)
expected = collections.Counter((f['file'], f['rule'], f['severity']) for f in table('expected-findings.tsv'))
for key in sorted(set(expected) | set(found)):
    if expected[key] != found[key]:
        differ(key[0], f'{key[1]}/{key[2]}', expected[key], found[key])

# ---- mutants
for r in table('mutants-logs.tsv'):
    for run in verify([r['file']], r['ruleset']):
        x = run['mlperf']['log']
        text(r['file'], 'verdict', r['verdict'], x['verdict'])
        text(r['file'], 'findings', r['findings'], counted(run['findings']))
        number(r['file'], 'minutes', r['minutes'], x['minutes'])
        codes = [c for c in r['codes'].split() if c]
        number(r['file'], 'messages', len(codes), x['messages'])
for r in table('mutants-packages.tsv'):
    all_runs = verify([r['package']], r['ruleset'])
    findings = [f for run in all_runs for f in run['findings'] if f['rule'] != 'FP7030']
    text(r['package'], 'findings', r['findings'], counted(findings))
    whole = [run['mlperf'] for run in all_runs if run['mlperf']['kind'] == 'package']
    text(r['package'], 'official', r['verdict'], whole[0]['official'] if whole else None)
    rcps = []
    for run in all_runs:
        m = run['mlperf']
        if m['kind'] == 'directory':
            rcp = m['rcp']
            rcps.append(f'{m["system"]}/{m["benchmark"]}: {rcp["verdict"]} {rcp["how"]} {rcp["factor"]:.6f}')
    text(r['package'], 'rcp', r['rcp'], '; '.join(rcps))
for fault in faults:
    print(fault)
sys.exit(bool(faults))
