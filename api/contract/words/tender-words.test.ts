/** The table of words in both languages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explainedWord, WORD_GROUPS } from './tender-words.ts';

const CATALOGUE = readFileSync(join(import.meta.dirname, '../../../texts/hi.po'), 'utf8');
const ids = WORD_GROUPS.flatMap((group) => group.ids);

test('a short form has its long form, and Hindi beside it', () => {
  expect(explainedWord('emd')).toEqual({
    ...{ id: 'emd', title: 'EMD', name: 'Earnest money deposit', other: { text: 'धरोहर राशि', lang: 'hi' } },
    meaning: 'Money that you deposit with a bid, usually 2 to 5 % of the estimate. It is returned.',
    advice: 'Pay it as the tender says and upload the proof. Note it here, so that you ask for it in time.',
  });
});

test('a word that is no short form is its own title', () => {
  expect(explainedWord('tender-fee')).toMatchObject({ title: 'Tender fee', name: null });
});

describe('the Hindi beside an English word is that of the catalogue', () => {
  test.each(ids)('%s', (id) => {
    const { title, name, other } = explainedWord(id);
    expect(CATALOGUE).toContain(`msgid "${name ?? title}"\nmsgstr "${other.text}"`);
  });
});

test('every word is on the help page once', () => {
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(24);
});
