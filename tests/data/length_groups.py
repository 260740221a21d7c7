"""Orders of LLaVA's LengthGroupedSampler, as llava_trainer.py has it, for tests/unit/trainer/data/test_length_groups.c.

    python3 length_groups.py

Prints rows of that test's table: kind, samples, ranks, micro-batch, seed, SHA-256 of the order as 64-bit numbers.
The draws are CPython's MT19937, whose state is filled as torch fills it.
"""
import hashlib, random, struct


class Torch:
    def __init__(self, seed):
        words = [seed & 0xffffffff]
        for i in range(1, 624):
            words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + i) & 0xffffffff)
        self.random = random.Random()
        self.random.setstate((3, tuple(words) + (624,), None))

    def randperm(self, n):
        order = list(range(n))
        for i in range(n - 1):
            z = self.random.getrandbits(32) % (n - i)
            order[i], order[z + i] = order[z + i], order[i]
        return order


def split_to_even_chunks(indices, lengths, num_chunks):
    if len(indices) % num_chunks != 0:
        return [indices[i::num_chunks] for i in range(num_chunks)]
    num_indices_per_chunk = len(indices) // num_chunks
    chunks = [[] for _ in range(num_chunks)]
    chunks_lengths = [0 for _ in range(num_chunks)]
    for index in indices:
        shortest_chunk = chunks_lengths.index(min(chunks_lengths))
        chunks[shortest_chunk].append(index)
        chunks_lengths[shortest_chunk] += lengths[index]
        if len(chunks[shortest_chunk]) == num_indices_per_chunk:
            chunks_lengths[shortest_chunk] = float("inf")
    return chunks


def get_length_grouped_indices(torch, lengths, batch_size, world_size):
    indices = torch.randperm(len(lengths))
    megabatch_size = world_size * batch_size
    megabatches = [indices[i : i + megabatch_size] for i in range(0, len(lengths), megabatch_size)]
    megabatches = [sorted(megabatch, key=lambda i: lengths[i], reverse=True) for megabatch in megabatches]
    megabatches = [split_to_even_chunks(megabatch, lengths, world_size) for megabatch in megabatches]
    return [i for megabatch in megabatches for batch in megabatch for i in batch]


def get_modality_length_grouped_indices(torch, lengths, batch_size, world_size):
    if all(l > 0 for l in lengths) or all(l < 0 for l in lengths):
        return get_length_grouped_indices(torch, lengths, batch_size, world_size)
    mm_indices, mm_lengths = zip(*[(i, l) for i, l in enumerate(lengths) if l > 0])
    lang_indices, lang_lengths = zip(*[(i, -l) for i, l in enumerate(lengths) if l < 0])
    mm_shuffle = [mm_indices[i] for i in get_length_grouped_indices(torch, mm_lengths, batch_size, world_size)]
    lang_shuffle = [lang_indices[i] for i in get_length_grouped_indices(torch, lang_lengths, batch_size, world_size)]
    megabatch_size = world_size * batch_size
    mm_megabatches = [mm_shuffle[i : i + megabatch_size] for i in range(0, len(mm_shuffle), megabatch_size)]
    lang_megabatches = [lang_shuffle[i : i + megabatch_size] for i in range(0, len(lang_shuffle), megabatch_size)]
    additional_batch = mm_megabatches[-1] + lang_megabatches[-1]
    megabatches = mm_megabatches[:-1] + lang_megabatches[:-1]
    megabatches = [megabatches[i] for i in torch.randperm(len(megabatches))]
    if len(additional_batch) > 0:
        megabatches.append(sorted(additional_batch))
    return [i for megabatch in megabatches for i in megabatch]


def lengths_of(kind, n):
    """Of a small generator that the test has, too: many equals, and signs by kind."""
    x, out = 12345, []
    for _ in range(n):
        x = (x * 1103515245 + 12345) % 2**31
        length = 1 + (x >> 16) % 60
        text = {'mixed': (x >> 8) % 3 == 0, 'pictures': False, 'texts': True}[kind]
        out.append(-length if text else length)
    return out


if __name__ == '__main__':
    print('// seed 0:', Torch(0).randperm(10))
    for kind, n, ranks, batch, seed in (('mixed', 1, 1, 1, 7), ('mixed', 97, 1, 4, 1), ('mixed', 500, 4, 8, 42), ('mixed', 512, 3, 5, 2**40 + 9),
                                        ('mixed', 30, 8, 16, 3), ('pictures', 333, 4, 4, 5), ('texts', 333, 4, 4, 5), ('texts', 64, 4, 4, 6), ('mixed', 5000, 16, 16, 8)):
        order = get_modality_length_grouped_indices(Torch(seed), lengths_of(kind, n), batch, ranks)
        assert sorted(order) == list(range(n))
        print('    {%s, %d, %d, %d, UINT64_C(%d),\n     "%s"},' % (kind.upper(), n, ranks, batch, seed, hashlib.sha256(struct.pack('<%dQ' % n, *order)).hexdigest()))
