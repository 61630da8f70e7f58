"""Blocks of bytes in a page are base 85 with digits of our own; Python's base64 has another alphabet, and the same numbers."""
import base64
import json
import os
import random
import re
import subprocess

import node

SCRIPT = """
import {bytesOf} from %s;
import {readFileSync} from "node:fs";
const texts = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => Buffer.from(bytesOf(text)).toString("hex"))));
"""
PYTHONS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
OURS = "".join(chr(ord("(") + k) for k in range(85)).replace("<", "~")


class Blocks:
    def test_pages_read_them(self):
        source = random.Random(5)
        blocks = [source.randbytes(n) for n in (*range(60), 1000, 1001, 1002)] + [bytes([255] * n) for n in range(9)]
        texts = [base64.b85encode(block).decode().translate(str.maketrans(PYTHONS, OURS)) for block in blocks]
        arrays = json.dumps(os.path.join(node.HERE, "..", "..", "src", "page", "arrays.js"))
        done = subprocess.run(["node", "--input-type=module", "-e", SCRIPT % arrays], input=json.dumps(texts), capture_output=True,
                              text=True, check=True)
        assert json.loads(done.stdout) == [block.hex() for block in blocks]

    def test_the_program_writes_them(self, tmp_path):
        subprocess.run([node.PROGRAM, "explore", "-o", "page.html"], cwd=tmp_path, check=True, capture_output=True)
        text, = re.findall('id="module">([^<]*)</script>', (tmp_path / "page.html").read_text(encoding="utf-8"))
        with open(node.MODULE, "rb") as module:
            assert base64.b85decode(text.translate(str.maketrans(OURS, PYTHONS))) == module.read()
