// @vitest-environment node
import { SEARCH_VERSION } from '@nivida/contract/search/search-version';
import { describe, expect, test } from 'vitest';
import { chooseAnswer, hasOtherRules } from './answer-source.ts';

const OTHER_VERSION = `${SEARCH_VERSION} of another release`;
const ASKED = { isPartial: false, isOutdated: false, isOnlyOnDevice: false, rows: 3, server: {} };
const ANSWERED = { answer: { total: 5 } };
const UNREACHABLE = { error: new Error('no network') };

describe('a device whose rules of search differ from those of the server', () => {
  test('has other rules for words only', () => {
    expect(hasOtherRules('road', OTHER_VERSION)).toBe(true);
    expect(hasOtherRules('', OTHER_VERSION)).toBe(false);
    expect(hasOtherRules('road', SEARCH_VERSION)).toBe(false);
    // An older server names no version.
    expect(hasOtherRules('road', null)).toBe(false);
  });

  test("shows the server's answer while online, and its own until then", () => {
    const asked = { ...ASKED, isOutdated: true };
    expect(chooseAnswer(asked)).toEqual({ isFromDevice: true, missingPart: undefined });
    expect(chooseAnswer({ ...asked, server: ANSWERED })).toEqual({ isFromDevice: false, missingPart: undefined });
  });

  test('answers offline by its own rules, and names no missing tenders', () => {
    const asked = { ...ASKED, isOutdated: true, server: UNREACHABLE };
    expect(chooseAnswer(asked)).toEqual({ isFromDevice: true, missingPart: undefined });
    expect(chooseAnswer({ ...asked, rows: 0 })).toEqual({ isFromDevice: true, missingPart: undefined });
  });
});

test("a device with the server's rules answers itself", () => {
  expect(chooseAnswer(ASKED)).toEqual({ isFromDevice: true, missingPart: undefined });
  expect(chooseAnswer({ ...ASKED, rows: 0 })).toEqual({ isFromDevice: true, missingPart: undefined });
});

describe('closed tenders, of which a pack has few', () => {
  const asked = { ...ASKED, isPartial: true };

  test("show the device's until the server answers", () => {
    expect(chooseAnswer(asked)).toEqual({ isFromDevice: true, missingPart: 'loading' });
    expect(chooseAnswer({ ...asked, rows: 0 })).toEqual({ isFromDevice: false, missingPart: 'loading' });
    expect(chooseAnswer({ ...asked, server: ANSWERED })).toEqual({ isFromDevice: false, missingPart: undefined });
  });

  test("stay the device's where only it has the looked up id", () => {
    expect(chooseAnswer({ ...asked, isOnlyOnDevice: true, server: ANSWERED })).toEqual({
      isFromDevice: true,
      missingPart: undefined,
    });
  });

  test('stay those of the device, marked as incomplete, when the server cannot answer', () => {
    expect(chooseAnswer({ ...asked, rows: 0, server: UNREACHABLE })).toEqual({
      isFromDevice: true,
      missingPart: 'unreachable',
    });
  });
});
