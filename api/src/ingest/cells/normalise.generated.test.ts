/** Any text of a portal is parsed, or rejected as a bad value of its row. Parsing a result again gives the same. */
import { groupIndian } from '@nivida/contract/format';
import { INDIAN_OFFSET_MS } from '@nivida/contract/time';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidValueError } from '../source-tender.ts';
import {
  cleanText,
  optionalText,
  parseCategory,
  parseCount,
  parseDate,
  parseDesignation,
  parseEstimate,
  parsePincode,
  parseRupees,
  parseYesNo,
  stableKey,
  toClosingInstant,
  truncatedText,
} from './normalise.ts';

/** Pieces of portals' cells in any order: words, entities escaped up to twice, invisible characters, halves of surrogate pairs. */
const piece = fc.oneof(
  fc.constantFrom('&amp;', '&amp;amp;', '&lt;', '&amp;lt;b&amp;gt;', '&nbsp;', '&#2344;', '&#0;', '&#xd800;', '&'),
  fc.constantFrom('\0', '\t', '\r\n', '\u200b', '\u2028', '\ufeff', '\ufffd', '\ud800', '\udc00', '  ', '\u00a0'),
  fc.constantFrom(
    'N.A.',
    'Nil',
    '-',
    'Rs.',
    '₹',
    '5,00,000',
    '/-',
    'e\u0301',
    '\u202e',
    'क्\u200cष',
    '\u200d',
    'o\u0335\u0335\u0335\u0335\u0335\u0335',
    'निविदा',
    'Road',
    '17-Sep-2025 09:00 AM',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.replaceAll('&', '+')),
);
// Two adjacent entities could form a third one, so pieces are separated.
const cell = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(' '));
const anything = fc.oneof(cell, fc.anything({ withNullPrototype: false }).filter(isWritable));

function isWritable(value: unknown): boolean {
  try {
    return typeof String(value) === 'string';
  } catch {
    return false;
  }
}

/** The result of a parser, or undefined for a rejected value. */
function read<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidValueError);
    return undefined;
  }
}

test('no value makes a parser fail', () => {
  fc.assert(
    fc.property(anything, (raw) => {
      for (const parse of [cleanText, optionalText, truncatedText, parsePincode, parseCount, parseYesNo]) parse(raw);
      for (const parse of [parseCategory, parseDesignation]) parse(raw);
      stableKey(cleanText(raw));
      for (const parse of [parseRupees, parseEstimate, parseDate]) read(() => parse('Value', raw));
    }),
    { numRuns: 500 },
  );
});

test('clean text contains only what a database and a page accept, and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(cell, (raw) => {
      const clean = cleanText(raw);
      expect(cleanText(clean)).toBe(clean);
      expect(clean.isWellFormed()).toBe(true);
      expect(clean).toBe(clean.normalize('NFC').trim());
      expect(clean).not.toMatch(/\p{Cc}|\s\s|[\u200b\u2028-\u202e\u2066-\u2069\ufeff\ufffd]|\p{M}{5}/u);
      expect(optionalText(optionalText(raw))).toBe(optionalText(raw));
    }),
    { numRuns: 1_000 },
  );
});

describe('money', () => {
  const paise = fc.integer({ min: 0, max: 10 ** 14 });
  const rupeesOf = (amount: number) => `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;

  test('is the same amount in any grouping and notation', () => {
    const before = fc.constantFrom('', 'INR ', 'Rs.', 'Rs ', '₹', '₹ ');
    fc.assert(
      fc.property(paise, before, fc.constantFrom('', '/-', ' INR'), (amount, name, end) => {
        const [integerPart = '', rest] = rupeesOf(amount).split('.');
        const western = integerPart.replace(/\B(?=(\d{3})+$)/g, ',');
        for (const digits of [integerPart, groupIndian(integerPart), western])
          expect(parseRupees('Value', `${name}${digits}.${rest}${end}`)).toBe(rupeesOf(amount));
      }),
    );
  });

  test('that was parsed is parsed to the same again', () => {
    fc.assert(
      fc.property(cell, (raw) => {
        const once = read(() => parseRupees('Value', raw));
        if (once) expect(parseRupees('Value', once)).toBe(once);
      }),
    );
  });
});

describe('a date', () => {
  const instant = fc.date({ min: new Date('1991-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });

  test('in ISO 8601 is that instant', () => {
    fc.assert(
      fc.property(instant, (at) => {
        expect(parseDate('Closing', at.toISOString())).toEqual({ at, timeKnown: true });
      }),
    );
  });

  test('without an hour is the last second of the Indian day', () => {
    fc.assert(
      fc.property(instant, (at) => {
        const day = new Date(at.getTime() + INDIAN_OFFSET_MS).toISOString().slice(0, 10);
        const parsed = parseDate('Closing', day);
        expect(parsed && toClosingInstant(parsed)).toEqual(new Date(`${day}T23:59:59+05:30`));
      }),
    );
  });
});
