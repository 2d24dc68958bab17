import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { decodeText } from "../../../src/core/intake/decode.ts";

const TEXT = '{"a": "é€😀"}\r\n';
const utf16 = (text: string, bigEndian: boolean): Buffer => {
  const bytes = Buffer.from(text, "utf16le");
  return bigEndian ? bytes.swap16() : bytes;
};
const ENCODED: readonly [name: string, bytes: Uint8Array][] = [
  ["UTF-8", Buffer.from(TEXT)],
  ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${TEXT}`)],
  ["UTF-16 LE with a byte order mark", utf16(`\ufeff${TEXT}`, false)],
  ["UTF-16 BE with a byte order mark", utf16(`\ufeff${TEXT}`, true)],
  ["UTF-16 LE without a mark", utf16(TEXT, false)],
  ["UTF-16 BE without a mark", utf16(TEXT, true)],
];
for (const [name, bytes] of ENCODED) {
  test(`a review file in ${name} is decoded`, () => {
    assert.deepEqual(decodeText(bytes), { text: TEXT, problem: null });
  });
}

test("any well-formed text survives UTF-8", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const marked = `x${text.toWellFormed().replaceAll("\0", "")}`;
      assert.deepEqual(decodeText(new TextEncoder().encode(marked)), { text: marked, problem: null });
    }),
  );
});

test("a text longer than the inner buffer is whole", () => {
  const long = "aé€😀".repeat(9000);
  assert.equal(decodeText(new TextEncoder().encode(long)).text, long);
});

test("broken bytes give the text the platform gives, and a problem with the place", () => {
  const decoded = decodeText(Uint8Array.of(0x61, 0x80, 0x62));
  assert.equal(decoded.text, "a\ufffdb");
  assert.match(decoded.problem ?? "", /byte 1/);
});

test("overlong forms, surrogates and points past the last plane are broken", () => {
  for (const bytes of [
    [0x61, 0xc0, 0xaf],
    [0x61, 0xed, 0xa0, 0x80],
    [0x61, 0xf4, 0x90, 0x80, 0x80],
    [0x61, 0xe2, 0x82],
  ]) {
    const { text, problem } = decodeText(Uint8Array.from(bytes));
    assert.match(text, /^a\ufffd+$/);
    assert.notEqual(problem, null);
  }
});

test("UTF-32 is named as such, an odd byte and a lone surrogate are told", () => {
  assert.match(decodeText(Uint8Array.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)).problem ?? "", /UTF-32/);
  assert.match(decodeText(Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x62)).problem ?? "", /odd/);
  assert.match(decodeText(Uint8Array.of(0xff, 0xfe, 0x61, 0, 0, 0xd8)).problem ?? "", /UTF-16/);
});

test("no bytes at all make decoding throw", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.ok(decodeText(bytes).text.isWellFormed());
    }),
    { numRuns: 500 },
  );
  assert.deepEqual(decodeText(new Uint8Array()), { text: "", problem: null });
});
