"""Changes logs at random and compares the verdicts of fpreport with those of tests/bench/mlperf_plain.py.

    plain.py COMMAND RULES SEED COUNT LOG…      RULES: the rule file; prints each difference, exit 1 when there is any
"""
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '../../bench'))
import mlperf_plain  # noqa: E402 (found by the line above)

TOKEN = mlperf_plain.TOKEN.encode()
VALUES = ['null', 'true', 'false', 'NaN', '-Infinity', '0', '1', '-1', '1.0', '1e999', '"1"', '"closed"', '"open"', '""',
          '[]', '{}', '[1, 1.0]', '{"a": 1}', '0.5', '1e-7', '3e3', '123456789012345678901', '"a\\u00e9"', '01', "'x'",
          '"success"', '{"status": "success"}', '{"status": null}', '""x', '"\\ud800"', '.5', '1.', '-', '+1', '"\t"']
FIELDS = ('time_ms', 'key', 'value', 'metadata', 'event_type')


def split_records(data):
    """Lines of a log, and which of them hold records that the rules may ask for."""
    lines = data.split(b'\n')
    return lines, [i for i, x in enumerate(lines) if TOKEN in x and b'tracked_stats' not in x]


def with_member(line, rng):
    at = line.rfind(TOKEN) + len(TOKEN)
    try:
        r = json.loads(line[at:])
    except ValueError:
        return line
    field, text = rng.choice(FIELDS), rng.choice(VALUES)
    if rng.random() < 0.3 and isinstance(r.get('metadata'), dict) and r['metadata']:
        name = rng.choice(list(r['metadata']))
        r['metadata'][name] = '@@'
    elif rng.random() < 0.4 and field == 'time_ms':
        text = str(r.get('time_ms', 0) + rng.choice([-1, 1, -60000, 60000, 1800000, 1.5]))
        r[field] = '@@'
    else:
        r[field] = '@@'
    return line[:at] + json.dumps(r).replace('"@@"', text).encode()


def changed(data, rng):
    lines, places = split_records(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 5])):
        i, k, way = rng.choice(places), rng.choice(places), rng.randrange(10)
        if way < 4:
            lines[i] = with_member(lines[i], rng)
        elif way == 4:
            lines[i] = b''
        elif way == 5:
            lines[k] += b'\n' + lines[i]
        elif way == 6:
            lines[i], lines[k] = lines[k], lines[i]
        elif way == 7:
            lines[i] += rng.choice([b' ', b'\x85', b'\xa0', b'x', b'\x00', b'\r', b'\rnoise', b' ' + lines[k], b'\x1c', b'}'])
        elif way == 8:
            at = rng.randrange(len(lines[i]) + 1)
            lines[i] = lines[i][:at] + rng.choice([b'', b'\xe9', b'\x01', b'"', b'\r', TOKEN, b'\\']) + lines[i][at + rng.randrange(2):]
        else:
            lines[i] = lines[i][:rng.randrange(len(lines[i]) + 1)]
    return b'\n'.join(lines)


def main():
    command, rule_file, seed, count, logs = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:]
    rng, faults = random.Random(seed), 0
    with open(rule_file, encoding='utf-8') as f:
        rules = json.load(f)
    data = []
    for path in logs:
        with open(path, 'rb') as f:
            data.append(f.read())
    with tempfile.TemporaryDirectory() as folder:
        wanted = {}
        for n in range(count):
            path = os.path.join(folder, f'{n}.txt')
            text = changed(rng.choice(data), rng)
            with open(path, 'wb') as f:
                f.write(text)
            codes, warnings = mlperf_plain.verdict(rules, text)
            wanted[path] = ('FAIL' if codes else 'SUCCESS', len(codes), warnings, codes)
        args = [command, 'verify', '-q', '--format', 'json', '--fail-on', 'never', '--ruleset', rules['ruleset']]
        r = subprocess.run(args + list(wanted), capture_output=True, check=True)
        for run in json.loads(r.stdout)['runs']:
            log, want = run['mlperf']['log'], wanted.pop(run['file'])
            if (log['verdict'], log['messages'], log['warnings']) != want[:3]:
                faults += 1
                print(run['file'], want, log, [f['message'] for f in run['findings'] if f['rule'] < 'FP7003'])
                keep = os.environ.get('KEEP_DIFFERENCES')
                if keep:
                    os.replace(run['file'], os.path.join(keep, f'{seed}-{os.path.basename(run["file"])}'))
        for path in wanted:
            faults += 1
            print(path, 'was not answered')
    sys.exit(faults > 0)


if __name__ == '__main__':
    main()
