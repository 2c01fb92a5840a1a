// @vitest-environment node
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareCodePoints, encodeText, findText, packTexts, unpackTexts } from './packed-texts.ts';
import { packValues, readValue } from './shown-values.ts';

const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', 'स', '्', '\ue000', '𑀅', '9'), maxLength: 4 }));

test('texts are unpacked unchanged, one by one and as a slice', () => {
  fc.assert(
    fc.property(words, (list) => {
      const texts = packTexts(list);
      expect(list.flatMap((_, at) => unpackTexts(texts, at, at + 1))).toEqual(list);
      expect(unpackTexts(texts, 0, list.length)).toEqual(list);
      expect(unpackTexts(texts, 1, list.length)).toEqual(list.slice(1));
    }),
  );
});

test('packed values are read unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text))), (list) => {
      const values = packValues(list);
      expect(list.map((_, at) => readValue(values, at))).toEqual(list);
    }),
  );
});

test('a prefix finds all texts that begin with it, a whole text finds itself', () => {
  fc.assert(
    fc.property(
      words,
      fc.string({ unit: fc.constantFrom('a', 'b', 'स', '𑀅'), minLength: 1, maxLength: 2 }),
      (list, asked) => {
        const sorted = [...new Set(list)].sort(compareCodePoints);
        const texts = packTexts(sorted);
        const found = (isPrefix: boolean) => {
          const { from, to } = findText(texts, encodeText(asked), isPrefix);
          return unpackTexts(texts, from, to);
        };
        expect(found(true)).toEqual(sorted.filter((text) => text.startsWith(asked)));
        expect(found(false)).toEqual(sorted.filter((text) => text === asked));
      },
    ),
  );
});

test('texts are sorted by their UTF-8 bytes', () => {
  fc.assert(
    fc.property(words, (list) => {
      const bytes = (text: string) => Buffer.from(text);
      expect(list.toSorted(compareCodePoints)).toEqual(list.toSorted((one, other) => bytes(one).compare(bytes(other))));
    }),
  );
});
