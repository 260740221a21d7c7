#!/usr/bin/env python3
"""fpreport verify of MLPerf Training logs, beside cat, the same rules in plain Python, and the official checker.

    mlperf.py PROGRAM [CORPUS] [MIB] [ROUNDS]

The packages are those of CORPUS/v5.1 (../shared/corpus/mlperf), copied under several names until they are MIB (64)
large, each log with a line of its own at the end, in the page cache. The ways take turns; figures are medians of user and system time of the processes, and the
ratios are those of one run. The official checker (mlcommons/logging, Apache-2.0) is not shipped: where
`python3 -c 'import mlperf_logging'` finds it (pip install git+https://github.com/mlcommons/logging), it reads a tenth
of the logs in one process, and its time is scaled; else a notice says so. One log by itself is timed, too.
"""
import glob
import importlib.util
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
OFFICIAL = '''
import sys
from mlperf_logging.compliance_checker import mlp_compliance
for path in sys.argv[1:]:
    checker = mlp_compliance.make_checker(usage="training", ruleset="5.1.0", quiet=True, werror=False)
    mlp_compliance.main(path, "common.yaml", checker)
'''


def cpu_seconds(command):
    """User and system time, wall time and largest memory in MiB of a command; of its children as well."""
    before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - wall
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def copy_packages(corpus, to, mib):
    """Packages of the corpus, again and again under other names, to MIB. The logs' paths and their bytes."""
    packages, logs, size, turn = sorted(glob.glob(os.path.join(corpus, 'v5.1', '*'))), [], 0, 0
    while size < mib << 20:
        package = packages[turn % len(packages)]
        name = os.path.join(to, 'v5.1', f'{os.path.basename(package)}{turn // len(packages)}')
        shutil.copytree(package, name)
        copied = sorted(glob.glob(os.path.join(name, 'results/*/*/result_*.txt')))
        for log in copied:  # no package has another's logs, which would be compared byte by byte
            with open(log, 'a', encoding='ascii') as end:
                end.write('copy' + '.' * (turn // len(packages)) + '\n')
        logs += copied
        size = sum(map(os.path.getsize, logs))
        turn += 1
    return logs, size


def ways_of(program, folder, logs):
    rules = os.path.join(HERE, '../../records/mlperf/rules/training_5.1.0.json')
    ways = {'cat': (['cat', *logs], 1),
            'fpreport': ([program, 'verify', '-q', '--format', 'json', '--fail-on', 'never', folder], 1),
            'plain Python': ([sys.executable, os.path.join(HERE, 'mlperf_plain.py'), rules, *logs], 1)}
    if importlib.util.find_spec('mlperf_logging'):
        tenth = logs[::10]
        scale = sum(map(os.path.getsize, logs)) / sum(map(os.path.getsize, tenth))
        ways['official'] = ([sys.executable, '-c', OFFICIAL, *tenth], scale)
    else:
        print('mlperf.py: the official checker is not installed, it is left out '
              '(pip install git+https://github.com/mlcommons/logging)')
    return ways


def main():
    program = os.path.abspath(sys.argv[1])
    corpus = sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, '../../../shared/corpus/mlperf')
    mib = int(sys.argv[3]) if len(sys.argv) > 3 else 64
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    if not os.path.isdir(corpus):
        print('mlperf.py: no corpus, nothing is measured')
        return
    with tempfile.TemporaryDirectory() as to:
        logs, size = copy_packages(corpus, to, mib)
        folder = os.path.join(to, 'v5.1')
        ways = ways_of(program, folder, logs)
        ways['one log'] = ([program, 'verify', '-q', '--fail-on', 'never', sorted(logs, key=os.path.getsize)[len(logs) // 2]], 1)
        ways['one log, --version'] = ([program, '--version'], 1)
        took, walls = {name: [] for name in ways}, {name: [] for name in ways}
        for _ in range(rounds + 1):  # the first warms
            for name, (command, scale) in ways.items():
                cpu, wall = cpu_seconds(command)
                took[name].append(cpu * scale)
                walls[name].append(wall * scale)
        said = subprocess.run([program, 'verify', '-q', '--format', 'json', '--fail-on', 'never', folder],
                              stdout=subprocess.PIPE, check=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    middle = {name: statistics.median(t[1:]) for name, t in took.items()}
    print(f'{len(logs)} logs of MLPerf Training, {size / 1e6:.1f} MB; load {os.getloadavg()[0]:.1f}; '
          f'a document of {len(said.stdout) / 1e6:.1f} MB; no process larger than {peak:.0f} MiB')
    for name, seconds in middle.items():
        rate = '' if name.startswith('one') else f'  {size / seconds / 1e6:7.0f} MB/s'
        print(f'  {name:18} {seconds:8.3f} s of processor  {statistics.median(walls[name][1:]):8.3f} s wall{rate}')
    for name in ways:
        if name in ('cat', 'plain Python', 'official'):
            print(f'  ratio of fpreport to {name}: {middle["fpreport"] / middle[name]:.2f}')
    print(f'  for 373 MB, all of v5.1: {middle["fpreport"] / size * 373e6:.2f} s of processor')


if __name__ == '__main__':
    main()
