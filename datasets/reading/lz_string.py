"""Decompress lz-string's base64 texts, in which web pages store documents in links.

The text is a stream of bits, six per character: the code of Ziv & Lempel (1978). A number of 2, 3 and then more bits is
the index of a phrase, or announces a new character of 8 (0) or 16 bits (1), or the end (2). Each phrase but the first
adds one: the phrase before it and its own first character.
"""

from __future__ import annotations

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
WIDTHS, END = {0: 8, 1: 16}, 2  # bits of the character that an index announces
MAX_TEXT = 1 << 20  # characters; a text of 64 KiB could otherwise expand to gigabytes


def decompress(text: str) -> str:
    """Return the document in a text.

    Raises:
        ValueError: the text is not the output of lz-string, or holds more than ``MAX_TEXT`` characters.
    """
    bits, place = "".join(f"{ALPHABET.index(sign):06b}" for sign in text.rstrip("=")), 0

    def number(width: int) -> int:  # lowest bit first
        nonlocal place
        place += width
        if place > len(bits):
            raise ValueError("the text is cut off")
        return int(bits[place - width : place][::-1], 2)

    phrases = ["", "", ""]  # their indices announce something else
    result, length, width, last = list[str](), 0, 2, ""
    while (index := number(width)) != END:
        if index in WIDTHS:
            phrases.append(chr(number(WIDTHS[index])))
            index = len(phrases) - 1
        phrase = phrases[index] if index < len(phrases) else last + last[:1]
        if not phrase or index > len(phrases):
            raise ValueError("a phrase that is not in the dictionary")
        if last:
            phrases.append(last + phrase[0])
        last = phrase
        result.append(phrase)
        length += len(phrase)
        if length > MAX_TEXT:
            raise ValueError(f"more than {MAX_TEXT} characters")
        width = len(phrases).bit_length()
    return "".join(result)
