"""One character of a text becomes another of its kind: what all changes of mutations.py do."""


def other_digit(r, text, at):
    return text[:at] + r.choice([d for d in "0123456789" if d != text[at]]) + text[at + 1:]


def change_digit(r, text):
    places = [i for i, c in enumerate(text) if c.isdigit()]
    return other_digit(r, text, r.choice(places)) if places else None


def change_character(r, text):
    """One letter or digit of a value becomes another of its kind."""
    places = [i for i, c in enumerate(text) if c.isascii() and c.isalnum()]
    if not places:
        return None
    at = r.choice(places)
    if text[at].isdigit():
        return other_digit(r, text, at)
    letter = r.choice([c for c in "abcdefghijklmnopqrstuvwxyz" if c != text[at].lower()])
    return text[:at] + (letter.upper() if text[at].isupper() else letter) + text[at + 1:]


def other_of(r, text, names):
    return r.choice([n for n in names if n != text])
