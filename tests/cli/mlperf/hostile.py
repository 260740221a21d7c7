"""Makes logs that are meant to hurt a reader of MLPerf logs, in the folder that is named.

    hostile.py FOLDER LOG      LOG complies; each file is LOG with something done to it
"""
import os
import sys

folder, source = sys.argv[1], open(sys.argv[2], 'rb').read()
LINE = b':::MLLOG {"time_ms": 1, "key": "%s", "value": %s, "metadata": %s}\n'


def write(name, data):
    with open(os.path.join(folder, name + '.txt'), 'wb') as f:
        f.write(data)


write('deep', source + LINE % (b'seed', b'[' * 100000 + b']' * 100000, b'{}'))
write('deep_open', source + b':::MLLOG ' + b'{"a":' * 500000)
write('many_marks', source + b':::MLLOG ' * 200000 + b'\n')
write('long_line', source + LINE % (b'seed', b'"' + b'x' * (1 << 20) + b'"', b'{}'))
write('many_keys', source + b''.join(LINE % (b'opt_%d' % i, b'1', b'{}') for i in range(50000)))
write('many_names', source + b''.join(LINE % (b'opt_name', b'"sgd"', b'{}') for _ in range(50000)))
write('many_groups', source + b''.join(
    LINE % (b'eval_accuracy', b'%d' % i, b'{"metric": "FID", "samples_count": %d}' % i) for i in range(50000)))
write('one_group', source + b''.join(
    LINE % (b'eval_accuracy', b'%d' % i, b'{"metric": "FID", "samples_count": 1}') for i in range(50000)))
write('wide', source + LINE % (b'opt_name', b'{' + b','.join(b'"%d": 1' % i for i in range(50000)) + b'}', b'{}') * 2)
write('numbers', source + LINE % (b'seed', b'1e999999', b'{}') + LINE % (b'seed', b'-' + b'9' * 5000, b'{}'))
write('escapes', source + LINE % (b'\\u0073eed', b'"\\ud800\\u0000\\udc00"', b'{"file": "%s\\u202e"}'))
write('cut', source[:-30])
write('nul', source.replace(b'\n', b'\0\n'))
write('controls', source.replace(b'"Example"', b'"\\u001b[31m<script>%n%s"'))
write('nothing_else', b':::MLLOG ')
write('half', b':::MLLOG {')
