import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byCodePoint, findText, joinTexts, textsBetween, toBytes } from './texts.ts';
import { cutValues, valueAt } from './values.ts';

const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', 'स', '्', '\ue000', '𑀅', '9'), maxLength: 4 }));

test('texts come back as they were joined, one by one and as a slice', () => {
  fc.assert(
    fc.property(words, (list) => {
      const texts = joinTexts(list);
      expect(list.flatMap((_, at) => textsBetween(texts, at, at + 1))).toEqual(list);
      expect(textsBetween(texts, 0, list.length)).toEqual(list);
      expect(textsBetween(texts, 1, list.length)).toEqual(list.slice(1));
    }),
  );
});

test('values come back as they were cut', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text))), (list) => {
      const values = cutValues(list);
      expect(list.map((_, at) => valueAt(values, at))).toEqual(list);
    }),
  );
});

test('a beginning finds all texts that begin so, a whole text itself', () => {
  fc.assert(
    fc.property(
      words,
      fc.string({ unit: fc.constantFrom('a', 'b', 'स', '𑀅'), minLength: 1, maxLength: 2 }),
      (list, asked) => {
        const sorted = [...new Set(list)].sort(byCodePoint);
        const texts = joinTexts(sorted);
        const found = (isPrefix: boolean) => {
          const { from, to } = findText(texts, toBytes(asked), isPrefix);
          return textsBetween(texts, from, to);
        };
        expect(found(true)).toEqual(sorted.filter((text) => text.startsWith(asked)));
        expect(found(false)).toEqual(sorted.filter((text) => text === asked));
      },
    ),
  );
});

test('texts are sorted as their UTF-8 bytes are', () => {
  fc.assert(
    fc.property(words, (list) => {
      const bytes = (text: string) => Buffer.from(text);
      expect(list.toSorted(byCodePoint)).toEqual(list.toSorted((one, other) => bytes(one).compare(bytes(other))));
    }),
  );
});
