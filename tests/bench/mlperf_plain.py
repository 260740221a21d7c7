"""The official verdict of logs of MLPerf Training in plain Python: the rule files of records/mlperf/rules, evaluated
as the policy's page says, with json and dictionaries. tests/bench/mlperf.py times it beside fpreport, and
tests/cli/mlperf/plain.py compares both on logs that are changed at random.

    mlperf_plain.py RULES FILE…     prints a line a log: verdict, messages, warnings, file
"""
import json
import math
import sys

TOKEN = ':::MLLOG '
BLANK = ' \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0'
MEMBERS = ('time_ms', 'key', 'value', 'metadata')


class Unfit(Exception):
    """A value is missing or of another type."""


class Failed(Exception):
    """A condition does not hold."""


def refuse(text):
    raise ValueError(text)


def number(x):
    if not isinstance(x, (int, float)):
        raise Unfit
    return x


def read_log(data):
    """Records in the order of the file, and how many lines hold none that can be read."""
    records, broken = [], 0
    for line in data.decode('latin-1').replace('\r\n', '\n').replace('\r', '\n').split('\n'):
        at = line.rfind(TOKEN)
        if at < 0:
            continue
        try:
            r = json.loads(line[at + len(TOKEN):].strip(BLANK))
            if not isinstance(r, dict) or any(m not in r for m in MEMBERS) or not isinstance(r['key'], str):
                refuse('no record')
            if isinstance(r['time_ms'], bool) or not isinstance(r['time_ms'], (int, float, str)):
                refuse('no time')
            r['time_ms'] = float(r['time_ms'])
            records.append(r)
        except (ValueError, RecursionError):
            broken += 1
    return records, broken


def ceiling(x):
    return math.ceil(x)


OPERATIONS = {'add': lambda a, b: a + b, 'sub': lambda a, b: a - b, 'mul': lambda a, b: a * b,
              'div': lambda a, b: a / b, 'pow': lambda a, b: a ** b, 'ceil': math.ceil, 'floor': math.floor,
              'log2': math.log2, 'abs': abs}


def at_path(record, path):
    for part in path.split('.'):
        if not isinstance(record, dict) or part not in record:
            raise Unfit
        record = record[part]
    return record


def has(record, path):
    try:
        at_path(record, path)
        return True
    except Unfit:
        return False


def compare(op, v, x, tolerance):
    if op == 'in':
        return any(compare('eq', v, y, tolerance) for y in x)
    if op in ('eq', 'ne'):
        same = v == x if tolerance is None else abs(number(v) - number(x)) < tolerance
        return same == (op == 'eq')
    number(v), number(x)
    return {'lt': v < x, 'le': v <= x, 'gt': v > x, 'ge': v >= x}[op]


class Evaluation:
    def __init__(self, rules, records):
        self.rules, self.records, self.kept, self.others = rules, records, {}, []
        self.repeated, self.firsts = set(), {}
        for r in records:
            self.firsts.setdefault(r['key'], r)
        queue = [rules['start']]
        while queue:
            self.evaluate(rules['sets'][queue.pop(0)], queue)

    def value(self, e, record):
        if isinstance(e, list):
            return [self.value(x, record) for x in e]
        if not isinstance(e, dict):
            return e
        (name, of), = e.items()
        if name == 'this':
            return at_path(record, of)
        if name == 'ref':
            if of not in self.lets:
                raise Unfit
            return self.lets[of]
        of = [number(self.value(x, record)) for x in (of if isinstance(of, list) else [of])]
        try:
            result = OPERATIONS[name](*of)
        except (ArithmeticError, ValueError):
            raise Unfit from None
        return number(result)

    def holds(self, p, r):
        """True or False; Unfit: it cannot be asked."""
        if 'has' in p or 'has_any' in p:
            return any(has(r, x) for x in p.get('has_any', [p.get('has')]))
        if 'when' in p:
            return not has(r, p['when']) or self.holds(p['then'], r)
        if 'all' in p:
            return all(self.holds(q, r) for q in p['all'])
        if 'after' in p or 'not_after' in p:
            return (p.get('after', p.get('not_after')) in self.least) == ('after' in p)
        if 'elapsed_since' in p:
            limit, since = p['lt_ms'], self.least.get(p['elapsed_since'])
            if isinstance(limit, dict):
                by = self.firsts.get(limit['by'], {}).get('value')
                limit = limit[by] if isinstance(by, str) and by in limit and by != 'by' else limit['*']
            return since is None or r['time_ms'] - since < limit
        if 'is_integer' in p:
            v = number(self.value(p['is_integer'], r))
            return math.isfinite(v) and abs(round(v) - v) < p['tol']
        v = self.value(p['expr'], r) if 'expr' in p else at_path(r, p['path'])
        if 'progression' in p:
            start, step = (number(self.value(p['progression'][x], r)) for x in ('start', 'step'))
            expected = self.expected.get(id(p), start)
            if number(v) != expected:
                return False
            self.expected[id(p)] = expected + step
            return True
        return all(compare(op, v, self.value(x, r), p.get('abs_tol')) for op, x in p.items()
                   if op in ('eq', 'ne', 'in', 'lt', 'le', 'gt', 'ge'))

    def bind(self, lets):
        self.lets = {}
        for name, e in lets.items():
            try:
                if 'value_of' in e:
                    self.lets[name] = self.firsts[e['value_of']]['value']
                else:
                    self.lets[name] = self.value(e, None)
            except (Unfit, KeyError):
                pass

    def grouped(self, group):
        made = {}
        for r in self.records:
            try:
                if r['key'] != group['from'] or not self.holds(group['where'], r):
                    continue
                by, name, value = (at_path(r, group[x]) for x in ('by', 'field_name', 'field_value'))
                g = made.setdefault(by, {'key': group['as'], 'metadata': {}, 'time_ms': r['time_ms'],
                                         'value': {group['by'].split('.')[-1]: by}})
                g['value'][name] = value
                g['time_ms'] = max(g['time_ms'], r['time_ms'])
            except Unfit:
                pass
        return list(made.values())

    def each(self, entry, r, seen):
        failed = False
        for p in entry.get('each', []) + ([] if seen else entry.get('first', [])):
            try:
                failed |= not self.holds(p, r)
            except Unfit:
                failed = True
        return failed

    def evaluate(self, rules, queue):
        entries = {k['key']: k for k in rules['keys']}
        for key in entries:
            self.kept.pop(key, None)
        self.least, self.expected, found, some = {}, {}, {}, {}
        self.bind(rules.get('let', {}))
        groups = [r for g in rules.get('group', []) for r in self.grouped(g)]
        for r in self.records + groups:
            key, entry = r['key'], entries.get(r['key'])
            if entry:
                seen = key in self.least
                if not (key.startswith('submission_') and seen):
                    if self.each(entry, r, seen):
                        self.kept[key] = 'each:' + key
                    if 'include' in entry:
                        opened = isinstance(r['value'], str) and entry['include'].get(r['value'])
                        if opened:
                            queue.append(opened)
                        else:
                            self.kept[key] = 'each:' + key
                if 'some' in entry:
                    some.setdefault(key, [False, False])
                    try:
                        some[key][0] |= all(self.holds(p, r) for p in entry['some'])
                    except Unfit:
                        some[key][1] = True
                found.setdefault(key, []).append(r['value'])
            self.least[key] = min(self.least.get(key, math.inf), r['time_ms'])
        self.finish(rules['keys'], found, some)

    def finish(self, entries, found, some):
        any_of = set()
        for entry in entries:
            key, count, values = entry['key'], entry.get('count'), found.get(entry['key'], [])
            if count == 'exactly_one' and len(values) != 1:
                if values and all(v == values[0] for v in values):
                    self.repeated.add(key)
                else:
                    self.kept[key] = 'count:' + key
            elif isinstance(count, dict) and len(values) < count['at_least']:
                self.kept[key] = 'count:' + key
            if key in some:
                if some[key][1]:
                    self.others.append('some-type:' + key)
                if not some[key][0]:
                    self.others.append('some:' + key)
            alternatives = tuple(sorted(entry.get('any_of_keys', [])))
            if alternatives and alternatives not in any_of and not any(k in self.least for k in alternatives):
                self.others.append('any:' + '|'.join(alternatives))
            any_of.add(alternatives)

    def messages(self):
        return self.others + list(self.kept.values())


def verdict(rules, data):
    records, broken = read_log(data)
    if not records:
        return ['parse'] if broken else ['empty'], 0
    e = Evaluation(rules, records)
    return e.messages() + (['parse'] if broken else []), len(e.repeated)


def main():
    with open(sys.argv[1], encoding='utf-8') as f:
        rules = json.load(f)
    for path in sys.argv[2:]:
        with open(path, 'rb') as f:
            codes, warnings = verdict(rules, f.read())
        print('FAIL' if codes else 'SUCCESS', len(codes), warnings, path, ' '.join(sorted(codes)), sep='\t')


if __name__ == '__main__':
    main()
