"""Amounts of money beside Python's exact numbers, and what tells a key that was listed twice."""

import hashlib
import random
import subprocess
import unittest
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

from tools import BUILD

PARTS = str(BUILD / "Tests" / "Report" / "parts")
LARGEST = 1 << 125


def asked(questions):
    lines = "".join(" ".join(map(str, question)) + "\n" for question in questions)
    run = subprocess.run([PARTS], input=lines, capture_output=True, text=True, check=True)
    answers = run.stdout.split("\n")[:-1]
    assert len(answers) == len(questions), run.stderr
    return answers


def rounded(number, places):
    with localcontext() as context:
        context.prec = 400
        exact = Decimal(number.numerator) / Decimal(number.denominator)
        # Fractions whose decimals end are exact; others are no halves.
        return f"{exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN):f}"


class Money(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(1)

    def units(self):
        return self.random.choice([0, 1, 5 * 10 ** 11, self.random.randrange(10 ** self.random.randrange(1, 30))])

    def test_reading(self):
        for text, units in {
            "0": 0, "12": 12 * 10 ** 12, "0.5": 5 * 10 ** 11, "0.000000000001": 1,
            "999999999999999": 999999999999999 * 10 ** 12,
            "1000000000000000": None, "0.0000000000001": None, "1.": None, ".5": None, "-1": None, "1e3": None,
            "1,5": None, "x": None, "1.5x": None, "007": 7 * 10 ** 12,
        }.items():
            self.assertEqual(asked([("read", text, 0, 0)]), ["no" if units is None else str(units)], text)

    def test_rounding(self):
        cases = [(self.units(), self.random.randrange(13)) for _ in range(2000)]
        cases += [(125 * 10 ** 8, 3), (375 * 10 ** 8, 3), (5 * 10 ** 9, 2), (15 * 10 ** 9, 2)]
        answers = asked([("rounded", units, places, 0) for units, places in cases])
        for (units, places), answer in zip(cases, answers):
            self.assertEqual(answer, rounded(Fraction(units, 10 ** 12), places), (units, places))

    def test_exact_texts(self):
        cases = [self.units() for _ in range(2000)]
        for units, answer in zip(cases, asked([("exact", units, 0, 0) for units in cases])):
            self.assertEqual(Fraction(answer), Fraction(units, 10 ** 12))
            self.assertRegex(answer, r"^\d+\.\d\d(\d*[1-9])?$")

    def test_shares(self):
        cases = [(self.units(), self.random.randrange(10 ** 9), self.random.randrange(1, 10 ** 6)) for _ in range(2000)]
        cases += [(LARGEST, 2, 1), (LARGEST, 1, 1), (10 ** 37, 10 ** 9, 10 ** 9), (3, 1, 2), (1, 1, 2), (0, 0, 7)]
        for (units, times, parts), answer in zip(cases, asked([("share", *case) for case in cases])):
            share = Fraction(units * times, parts)
            whole = round(share)
            if answer == "no":
                self.assertGreater(share, LARGEST)
            else:
                self.assertEqual(int(answer), whole, (units, times, parts))

    def test_sums(self):
        cases = [(LARGEST - 1, 1), (LARGEST, 1), (LARGEST, 0), (5, 7)]
        answers = asked([("add", one, other, 0) for one, other in cases])
        self.assertEqual(answers, [str(LARGEST), "no", str(LARGEST), "12"])

    def test_quotients(self):
        cases = [(self.units(), self.random.randrange(1, 10 ** 20), self.random.randrange(5)) for _ in range(2000)]
        for (over, under, places), answer in zip(cases, asked([("quotient", *case) for case in cases])):
            self.assertEqual(answer, rounded(Fraction(over, under), places), (over, under, places))
        self.assertEqual(asked([("quotient", 5, 0, 2)]), ["no"])


class Cells(unittest.TestCase):
    def written(self, *cells):
        answers = asked([("csv", cell.encode().hex(), 0, 0) for cell in cells])
        return [bytes.fromhex(answer).decode() for answer in answers]

    def test_what_a_spreadsheet_takes_for_a_formula(self):
        before = ["", "\n", "\r\n", "\t", " ", "  \n ", "\x01", "\x7f", "\x85", "\xa0", "\u2028", "\u3000", "\ufeff",
                  "\u200b", "\u202e", "\u2060"]
        formulas = [each + sign + "1+1" for each in before for sign in "=+-@\uff1d\uff0b\uff0d\uff20"]
        self.assertEqual(self.written(*formulas), [f"\"'{each}\"" for each in formulas])
        self.assertEqual(self.written("\n", "\nx", "\tx", "\rx"), ['"\'\n"', '"\'\nx"', '"\'\tx"', '"\'\rx"'])

    def test_what_it_does_not(self):
        plain = ["1", "a=1", "a\u00a0=1", "\u2212", "\u00a0x", "'=1", "\x01x", "_", "."]
        self.assertEqual(self.written(*plain), plain)
        self.assertEqual(self.written(' "x"', "a,b", "a\nb"), ['" ""x"""', '"a,b"', '"a\nb"'])


class Seen(unittest.TestCase):
    def test_a_key_that_comes_again(self):
        keys = [f"{kind}/{hashlib.sha256(str(number).encode()).hexdigest()}"
                for number in range(5000) for kind in ["postback", "refused"]]
        again = keys[::-1]
        answers = asked([("seen", key, 0, 0) for key in keys + again])
        self.assertEqual(answers, ["new"] * len(keys) + ["old"] * len(again))
