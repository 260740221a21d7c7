#!/usr/bin/env python3
"""Texts for the tokenizer's tests, the same ones every time.

    token_texts.py corpus N FILE    a text that spm_train learns pieces from, of N Chinese characters
    token_texts.py lines N FILE     N texts, one a line: English, Chinese, emoji, control characters, other
                                    scripts, bytes that are no UTF-8, blanks in every place
"""
import random
import sys

SYLLABLES = [a + b + c for a in ["", "b", "d", "k", "l", "m", "n", "p", "r", "s", "t", "st", "tr", "gl"]
             for b in "aeiou" for c in ["", "n", "r", "s", "l", "nt"]]
HAN = [chr(c) for c in range(0x4e00, 0x5600)]
EMOJI = ["\U0001f600", "\U0001f44d\U0001f3fd", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u2764\ufe0f",
         "\U0001f1e8\U0001f1f3", "\U0001f9d1\u200d\U0001f680"]
CONTROLS = [chr(c) for c in list(range(1, 10)) + list(range(11, 32)) + [0x7f, 0x85, 0xa0, 0xad, 0x200b, 0x2028, 0xfeff]]
OTHERS = ["\u2581", "\u2581\u2581", "é", "ß", "Ωμέγα", "Привет", "שלום", "नमस्ते", "ประเทศ", "한국어", "\ufffd", "<s>",
          "</s>", "<unk>", "<0x41>", "12345", "3.14e-5", "{}[]()", "http://example.org/?a=b&c", "\u00e9\u0301"]
BROKEN = [b"\xff", b"\xc3", b"\xe4\xb8", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\x80"]


def word(rng):
    w = "".join(rng.choice(SYLLABLES) for _ in range(rng.choice([1, 1, 2, 2, 3, 4])))
    return w.capitalize() if rng.random() < 0.15 else w


def han(rng, n=len(HAN)):
    return "".join(HAN[int(rng.random() ** 2 * n)] for _ in range(rng.randint(1, 12)))


def english(rng):
    return " ".join(word(rng) for _ in range(rng.randint(1, 18))) + rng.choice([".", "!", "?", "", ", "])


def text(rng):
    parts = []
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        kind = rng.random()
        if kind < 0.4:
            parts.append(english(rng).encode())
        elif kind < 0.6:
            parts.append(han(rng).encode())
        elif kind < 0.7:
            parts.append(rng.choice(EMOJI).encode() * rng.randint(1, 3))
        elif kind < 0.78:
            parts.append("".join(rng.choice(CONTROLS) for _ in range(rng.randint(1, 4))).encode())
        elif kind < 0.88:
            parts.append(rng.choice(OTHERS).encode())
        elif kind < 0.9:
            parts.append(rng.choice(BROKEN))
        elif kind < 0.95:
            parts.append(b" " * rng.randint(1, 5))
        else:
            parts.append("".join(chr(rng.choice([rng.randint(0x20, 0x7e), rng.randint(0xa1, 0x2fff),
                                                 rng.randint(0x10000, 0x1ffff)])) for _ in range(5)).encode())
    joined = rng.choice([b"", b" ", b"  "]).join(parts)
    return joined.replace(b"\n", b" ") or b"a"


def main():
    rng = random.Random(31)
    if sys.argv[1] == "corpus":
        words = [word(rng) for _ in range(30000)]
        with open(sys.argv[3], "w", encoding="utf-8") as out:
            for _ in range(12000):
                out.write(" ".join(words[int(rng.random() ** 3 * len(words))] for _ in range(rng.randint(3, 15))))
                out.write(rng.choice([". ", "? ", " "]) + han(rng, int(sys.argv[2])) + "。\n")
    else:
        with open(sys.argv[3], "wb") as out:
            for _ in range(int(sys.argv[2])):
                out.write(text(rng) + b"\n")


main()
