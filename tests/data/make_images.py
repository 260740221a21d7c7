"""Small images of every kind that trainer/images reads, and the digests of what Pillow makes of them.

    python3 make_images.py FOLDER

Writes the images and digests.tsv: file, width, height, SHA-256 of the pixels behind convert('RGB'), and
of 336 x 336 of them as transformers' CLIPImageProcessor crops and as LLaVA pads and resizes, all with
Image.BICUBIC. tests/data/images is what Pillow 9.4 of Debian 12 gave.
"""
import hashlib, os, random, struct, sys, zlib
from PIL import Image

SIDE = 336
MEAN = (122, 116, 104)
PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def chunk(name, data):
    return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))


def rows(samples, width, height, channels, bits, columns, lines):
    """Scanlines without a filter of these columns and lines of samples[(y * width + x) * channels + c]."""
    out = bytearray()
    for y in lines:
        line = [samples[(y * width + x) * channels + c] for x in columns for c in range(channels)]
        if not line:
            continue
        text = ''.join(format(s, '0%db' % bits) for s in line)
        text += '0' * (-len(text) % 8)
        out += b'\0' + int(text, 2).to_bytes(len(text) // 8, 'big')
    return bytes(out)


def png(width, height, bits, colour, samples, interlaced=False, between=b''):
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    parts = PASSES if interlaced else ((0, 0, 1, 1),)
    data = b''.join(rows(samples, width, height, channels, bits, range(x, width, dx), range(y, height, dy)) for x, y, dx, dy in parts)
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, bits, colour, 0, 0, interlaced)) + between +
            chunk(b'IDAT', zlib.compress(data, 9)) + chunk(b'IEND', b''))


def scene(rng, width, height):
    """Flat parts, edges and noise: what a filter of any other shape would show."""
    im = Image.new('RGB', (width, height), tuple(rng.randrange(256) for _ in range(3)))
    for _ in range(6):
        x, y = rng.randrange(width), rng.randrange(height)
        im.paste(tuple(rng.choice((0, 255, rng.randrange(256))) for _ in range(3)), (x, y, x + 1 + width // 3, y + 1 + height // 3))
    for _ in range(width * height // 8):
        im.putpixel((rng.randrange(width), rng.randrange(height)), tuple(rng.randrange(256) for _ in range(3)))
    return im


def write_all(folder):
    rng = random.Random(32)
    put = lambda name, data: open(os.path.join(folder, name), 'wb').write(data)
    for colour, depths in ((0, (1, 2, 4, 8, 16)), (2, (8, 16)), (3, (1, 2, 4, 8)), (4, (8, 16)), (6, (8, 16))):
        for bits in depths:
            for interlaced in (False, True):
                width, height = rng.randrange(9, 40), rng.randrange(9, 40)
                n = width * height * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
                samples = [rng.randrange(1 << bits) for _ in range(n)]
                if colour == 0 and bits == 16:  # about 255, where Pillow cuts
                    samples = [rng.choice((s, s >> 8, 254, 255, 256)) for s in samples]
                between = b''
                if colour == 3:  # the last entries are left out, and some are transparent
                    between = chunk(b'PLTE', bytes(rng.randrange(256) for _ in range(3 * max(1, (1 << bits) - interlaced)))) + chunk(b'tRNS', b'\0\x80')
                elif colour == 0 and interlaced:
                    between = chunk(b'tRNS', b'\0\1') + chunk(b'gAMA', struct.pack('>I', 100000))
                put('png-%d-%d%s.png' % (colour, bits, '-interlaced' if interlaced else ''), png(width, height, bits, colour, samples, interlaced, between))
    for name, size, mode, options in (
            ('grey', (31, 40), 'L', {}), ('colour-444', (45, 33), 'RGB', dict(subsampling=0)), ('colour-422', (33, 45), 'RGB', dict(subsampling=1)),
            ('colour-420', (61, 47), 'RGB', dict(subsampling=2)), ('progressive', (50, 64), 'RGB', dict(progressive=True)),
            ('inks', (29, 37), 'CMYK', {}), ('inks-progressive', (40, 21), 'CMYK', dict(progressive=True)), ('large', (611, 403), 'RGB', dict(quality=25)),
            ('tall', (343, 598), 'L', dict(quality=25))):
        im = scene(rng, *size)
        im.convert(mode).save(os.path.join(folder, 'jpeg-%s.jpg' % name), **dict(dict(quality=80), **options))
    for width, height in ((1, 1), (1, 300), (300, 1), (SIDE, SIDE), (SIDE, 340), (337, SIDE)):
        im = scene(rng, width, height).quantize(4) if width * height > 999 else scene(rng, width, height)
        im.save(os.path.join(folder, 'size-%d-%d.png' % (width, height)), optimize=True)


def crop(im, side=SIDE):
    short, long = min(im.size), max(im.size)
    longer = int(side * long / short)
    size = (side, longer) if im.width <= im.height else (longer, side)
    im = im.resize(size, Image.BICUBIC)
    left, top = (size[0] - side) // 2, (size[1] - side) // 2
    return im.crop((left, top, left + side, top + side))


def pad(im, side=SIDE):
    longer = max(im.size)
    square = Image.new('RGB', (longer, longer), MEAN)
    square.paste(im, ((longer - im.width) // 2, (longer - im.height) // 2))
    return square.resize((side, side), Image.BICUBIC)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    write_all(folder)
    digest = lambda im: hashlib.sha256(im.tobytes()).hexdigest()
    with open(os.path.join(folder, 'digests.tsv'), 'w') as out:
        for name in sorted(os.listdir(folder)):
            if name.endswith(('.png', '.jpg')):
                im = Image.open(os.path.join(folder, name)).convert('RGB')
                print(name, im.width, im.height, digest(im), digest(crop(im)), digest(pad(im)), sep='\t', file=out)


if __name__ == '__main__':
    main(sys.argv[1])
