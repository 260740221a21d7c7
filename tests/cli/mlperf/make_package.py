"""Makes a small package of MLPerf Training results, Example, in the folder that is named: five runs of retinanet by
the rules of 5.1.0, which comply. Everything is made up.

    make_package.py FOLDER
"""
import json
import os
import sys

FIELDS = '''submitter division status system_name number_of_nodes host_processors_per_node host_processor_model_name
host_processor_core_count host_processor_vcpu_count host_processor_frequency host_processor_caches
host_processor_interconnect host_memory_capacity host_storage_type host_storage_capacity host_networking
host_networking_topology host_memory_configuration accelerators_per_node accelerator_model_name
accelerator_host_interconnect accelerator_frequency accelerator_on-chip_memories accelerator_memory_configuration
accelerator_memory_capacity accelerator_interconnect accelerator_interconnect_topology cooling hw_notes framework
other_software_stack operating_system sw_notes'''.split()
KNOWN = {'submitter': 'Example', 'division': 'closed', 'status': 'Available on-premise', 'system_name': 'one',
         'number_of_nodes': '1', 'host_processors_per_node': '2', 'accelerators_per_node': '8',
         'accelerator_model_name': 'Card, 80 GB', 'framework': 'own'}


def log(run):
    """Records of one run: an evaluation each epoch; the fourth reaches the target."""
    at = [1700000000000 + run * 10000000]
    lines = ['starting on node 0']

    def say(key, value, seconds=1, **metadata):
        at[0] += seconds * 1000
        metadata = {'file': 'train.py', 'lineno': 10, **metadata}
        lines.append('0: :::MLLOG ' + json.dumps({'namespace': '', 'time_ms': at[0], 'event_type': 'POINT_IN_TIME',
                                                  'key': key, 'value': value, 'metadata': metadata}))

    for key, value in (('cache_clear', True), ('init_start', None), ('submission_benchmark', 'retinanet'),
                       ('submission_org', 'Example'), ('submission_division', 'closed'),
                       ('submission_platform', 'one'), ('global_batch_size', 256), ('opt_name', 'adam'),
                       ('opt_base_learning_rate', 0.0001), ('opt_weight_decay', 0), ('seed', 100 + run),
                       ('opt_learning_rate_warmup_epochs', 1), ('opt_learning_rate_warmup_factor', 0.001),
                       ('gradient_accumulation_steps', 1), ('train_samples', 1170301), ('eval_samples', 24781),
                       ('init_stop', None), ('run_start', None)):
        say(key, value)
    for epoch in range(1, 5):
        say('epoch_start', None, epoch_num=epoch)
        say('tracked_stats', {'throughput': 900.5}, step=epoch)
        say('epoch_stop', None, 300 + run, epoch_num=epoch)
        say('eval_start', None, epoch_num=epoch)
        say('eval_accuracy', 0.20 + 0.036 * epoch, epoch_num=epoch)
        say('eval_stop', None, epoch_num=epoch)
    say('run_stop', None, status='success')
    return '\n'.join(lines) + '\n'


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


root = os.path.join(sys.argv[1], 'Example')
write(f'{root}/systems/one.json', json.dumps({f: KNOWN.get(f, '') for f in FIELDS}, indent=1))
for n in range(5):
    write(f'{root}/results/one/retinanet/result_{n}.txt', log(n))
