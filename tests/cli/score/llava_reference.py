"""What LLaVA 1.5 makes of its JSON files: a second program, in the order of LLaVA's own (llava/train/train.py,
llava/mm_utils.py, llava/conversation.py), over a slow BPE encoder and Pillow.

    python3 llava_reference.py make FOLDER SEED      made-up samples and images: plain.json, v1.json, images/
    python3 llava_reference.py check FOLDER FORMAT MODEL PREPARED SIDE      what `prepare` left of them
"""
import functools, json, os, random, re, struct, sys

IMAGE, IGNORE, PLACE, LENGTH = -200, -100, '<image>', 2048
SYSTEM = ("A chat between a curious user and an artificial intelligence assistant. "
          "The assistant gives helpful, detailed, and polite answers to the user's questions.")


class Tokenizer:
    """SentencePiece's BPE with byte fallback, and transformers' slow tokenizer around it."""

    def __init__(self, path):
        self.pieces, data, at = {}, open(path, 'rb').read(), 0
        self.names = []
        while at < len(data):
            key, at = self.varint(data, at)
            n, at = self.varint(data, at)
            if key == 10:
                self.piece(data[at:at + n])
            at += n
        self.specials = ['<unk>', '<s>', '</s>']

    @staticmethod
    def varint(data, at):
        value = shift = 0
        while True:
            value |= (data[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 128:
                return value, at

    def piece(self, data):
        n, at = self.varint(data, 1)
        text = data[at:at + n].decode()
        self.pieces[text] = (len(self.names), struct.unpack('<f', data[at + n + 1:at + n + 5])[0])
        self.names.append(text)

    def bpe(self, text):
        """Blanks begin a piece or are all of it, so that no merge goes across the front of a word."""
        assert not any(re.search('[^▁]▁', name) for name in self.names)
        return [i for word in re.findall('▁*[^▁]*', '▁' + text.replace(' ', '▁')) for i in self.word(word)] if text else []

    @functools.lru_cache(maxsize=None)
    def word(self, word):
        symbols = list(word)
        while True:
            pairs = [(-self.pieces[a + b][1], i) for i, (a, b) in enumerate(zip(symbols, symbols[1:])) if a + b in self.pieces]
            if not pairs:
                break
            i = min(pairs)[1]
            symbols[i:i + 2] = [symbols[i] + symbols[i + 1]]
        ids = []
        for s in symbols:
            ids += [self.pieces[s][0]] if s in self.pieces else [self.pieces['<0x%02X>' % b][0] for b in s.encode()]
        return ids

    def __call__(self, text):
        ids = [1]
        for part in re.split('(<unk>|<s>|</s>)', text):
            ids += [self.specials.index(part)] if part in self.specials else self.bpe(part)
        return ids


def tokenizer_image_token(prompt, tokenizer):
    chunks = [tokenizer(chunk) for chunk in prompt.split(PLACE)]
    ids = [chunks[0][0]]
    for i, chunk in enumerate(chunks):
        ids += ([IMAGE] if i else []) + chunk[1:]
    return ids


def preprocess_multimodal(turns):
    for turn in turns:
        if PLACE in turn['value']:
            turn['value'] = turn['value'].replace(PLACE, '').strip()
            turn['value'] = PLACE + '\n' + turn['value']
            turn['value'] = turn['value'].strip()


def plain(turns, tokenizer):
    ids = tokenizer_image_token(PLACE + turns[1]['value'] + '\n', tokenizer)
    return ids, [IGNORE] * len(tokenizer_image_token(PLACE, tokenizer)) + ids[2:]


def v1(turns, tokenizer, has_image):
    roles, seps = {'human': 'USER', 'gpt': 'ASSISTANT'}, (' ', '</s>')
    if roles[turns[0]['from']] != 'USER':
        turns = turns[1:]
    prompt = SYSTEM + ' '
    for i, turn in enumerate(turns):
        prompt += roles[turn['from']] + (': ' + turn['value'] + seps[i % 2] if turn['value'] else ':')
    encode = (lambda t: tokenizer_image_token(t, tokenizer)) if has_image else tokenizer
    ids = encode(prompt)
    labels = list(ids)
    total, at = sum(i != 0 for i in ids), 1
    labels[:1] = [IGNORE]
    for around in prompt.split('</s>'):
        parts = around.split(' ASSISTANT: ')
        if around == '' or len(parts) != 2:
            break
        instruction = len(encode(parts[0] + ' ASSISTANT: ')) - 2
        labels[at:at + instruction] = [IGNORE] * len(labels[at:at + instruction])
        at += len(encode(around))
    labels[at:] = [IGNORE] * len(labels[at:])
    if at < LENGTH and at != total:
        labels = [IGNORE] * len(labels)
    return ids, labels


def sample(kind, s, tokenizer):
    turns = [dict(t) for t in s['conversations']]
    words = sum(len(t['value'].split()) for t in turns)
    if 'image' in s:
        preprocess_multimodal(turns)
    ids, labels = plain(turns, tokenizer) if kind == 'llava-plain' else v1(turns, tokenizer, 'image' in s)
    return ids, [IGNORE if i == IMAGE else l for i, l in zip(ids, labels)], words if 'image' in s else -words


def make(folder, seed):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../data'))
    from make_images import scene
    rng = random.Random(seed)
    os.makedirs(folder + '/images/sub', exist_ok=True)
    names = []
    for i in range(12):
        name = ('sub/' if i % 3 == 0 else '') + '%d.%s' % (i, rng.choice(('jpg', 'png')))
        im = scene(rng, rng.randrange(1, 90), rng.randrange(1, 90)).convert(rng.choice(('RGB', 'RGB', 'L', 'CMYK' if name.endswith('jpg') else 'P')))
        im.save(folder + '/images/' + name)
        names.append(name)
    bits = ['Rechnen', 'the cards', ' ', '\n', '数据', '🙂', '\u00a0', '\u2003x', 'assistant', 'USER: ', 'a  b', '.', '<s>', 'fpreport\tbuild', '{"x"}', '\\', 'é']
    words = lambda n: ''.join(rng.choice(bits) for _ in range(rng.randrange(1, n))) + 'end'
    samples = []
    for i in range(60):
        turns, image = [], rng.choice((None, rng.choice(names)))
        for t in range(rng.randrange(1, 4)):
            turns += [{'from': 'human', 'value': words(9)}, {'from': 'gpt', 'value': words(16)}]
        if image:
            at = rng.randrange(0, len(turns), 2)
            turns[at]['value'] = rng.choice(('%s\n' + PLACE, PLACE + '\n%s', PLACE + ' %s', 'so %s ' + PLACE + ' x', PLACE + '%.0s')) % turns[at]['value']
        twist = rng.randrange(14)
        if twist == 0:
            turns.insert(0, {'from': 'gpt', 'value': 'before'})
        elif twist == 1:
            turns[-1]['value'] += rng.choice(('</s> more', ' ASSISTANT: x', '<unk>'))
        elif twist == 2:
            turns[-1]['value'] = ''
        elif twist == 3:
            turns.pop()
        elif twist == 4:
            turns[-1]['value'] = rng.choice((' ', '\n', '')) + '数 x'
        elif twist == 5:
            turns[-1]['value'] = ('many words ' * 600) + rng.choice(('', ' ASSISTANT: x'))
        samples.append(dict({'id': rng.choice((i, str(i)))}, **({'image': image} if image else {}), conversations=turns))
    plain_samples = [{'id': i, 'image': rng.choice(names), 'conversations': [
        {'from': 'human', 'value': rng.choice(('Describe.\n' + PLACE, PLACE + '\nWhat?'))}, {'from': 'gpt', 'value': words(20)}]} for i in range(30)]
    json.dump(samples, open(folder + '/v1.json', 'w'), indent=rng.choice((None, 2)), ensure_ascii=rng.random() < 0.5)
    with open(folder + '/plain.json', 'w') as out:  # an object a line
        out.write('\n'.join(json.dumps(s) for s in plain_samples) + '\n')


def numbers(path):
    import numpy
    return numpy.load(path)


def same(name, ours, theirs):
    if list(ours) == list(theirs):
        return print('same', name, len(theirs))
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    sys.exit('%s: found %s from place %d on, expected %s' % (name, list(ours[at:at + 5]), at, theirs[at:at + 5]))


def check(folder, kind, model, prepared, side):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../data'))
    from make_images import crop, pad
    from PIL import Image
    text = open('%s/%s.json' % (folder, kind.split('-')[1])).read()
    samples = json.loads(text) if text[0] == '[' else [json.loads(l) for l in text.splitlines()]
    tokenizer, rows = Tokenizer(model), {}
    tokens, labels, lengths, pictures, offsets = [], [], [], [], [0]
    for s in samples:
        ids, l, n = sample(kind, s, tokenizer)
        tokens, labels, lengths = tokens + ids, labels + l, lengths + [n]
        pictures.append(rows.setdefault(s['image'], len(rows)) if 'image' in s else -1)
        offsets.append(len(tokens))
    for name, expected in (('tokens', tokens), ('labels', labels), ('lengths', lengths), ('pictures', pictures), ('offsets', offsets)):
        same(name, numbers('%s/%s.npy' % (prepared, name)), expected)
    fit = crop if kind == 'llava-plain' else pad
    pixels = numbers(prepared + '/pixels.npy')
    assert pixels.shape == (len(rows), side, side, 3), pixels.shape
    for name, row in rows.items():
        same(name, pixels[row].flatten().tolist(), list(fit(Image.open(folder + '/images/' + name).convert('RGB'), side).tobytes()))
    record = json.load(open(prepared + '/prepared.json'))
    assert record['targets'] == sum(l != IGNORE for l in labels) and record['samples'] == len(samples), record


if __name__ == '__main__':
    if sys.argv[1] == 'make':
        make(sys.argv[2], int(sys.argv[3]))
    else:
        check(*sys.argv[2:6], int(sys.argv[6]))
