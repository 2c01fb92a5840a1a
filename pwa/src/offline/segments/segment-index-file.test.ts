// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CorruptSegmentIndexError, readSegmentIndex, writeSegmentIndex } from './segment-index-file.ts';

const facts = { rows: 3, hasDetails: true, names: ['', 'Shimla', 'चंबा'], termsVersion: 1 };
const sections = {
  flags: Uint8Array.of(1, 2, 3),
  codes: Uint16Array.of(1, 65_535, 0),
  starts: Uint32Array.of(0, 4_294_967_295),
  ids: Int32Array.of(7, -1, 2_147_483_647),
  price: Float64Array.of(250_000.5, Number.NaN, 0),
  none: new Uint16Array(),
};
const pack = writeSegmentIndex(facts, sections);

describe('a segment index', () => {
  test('is read as it was written, also from a copied buffer', () => {
    for (const buffer of [pack, structuredClone(pack)]) expect(readSegmentIndex(buffer)).toEqual({ facts, sections });
  });

  test('is rejected when truncated at any byte', () => {
    for (let bytes = 0; bytes < pack.byteLength; bytes += 1)
      expect(() => readSegmentIndex(pack.slice(0, bytes)), `${bytes} bytes`).toThrow(CorruptSegmentIndexError);
  });

  test('is rejected when any byte is changed', () => {
    for (let at = 0; at < pack.byteLength; at += 1) {
      for (const flipped of [1, 0x80, 0xff]) {
        const changed = pack.slice(0);
        const bytes = new Uint8Array(changed);
        bytes[at] = (bytes[at] as number) ^ flipped;
        // The header's reserved words are covered too.
        expect(() => readSegmentIndex(changed), `byte ${at}`).toThrow(CorruptSegmentIndexError);
      }
    }
  });

  test('is rejected when the buffer is something else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 256 }), (bytes) => {
        expect(() => readSegmentIndex(Uint8Array.from(bytes).buffer)).toThrow(CorruptSegmentIndexError);
      }),
    );
    expect(() => readSegmentIndex(new ArrayBuffer(64))).toThrow('This is no pack of tenders');
    expect(() => readSegmentIndex(pack.slice(0, -16))).toThrow(/^A pack of \d+ bytes has only \d+ of them$/);
  });
});
