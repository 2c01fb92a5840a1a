import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KIND_NAMES } from './document-kind-names.ts';

const CATALOGUE = readFileSync(join(import.meta.dirname, '../../../texts/hi.po'), 'utf8').replaceAll('"\n"', '');

test.each(Object.entries(KIND_NAMES))(
  'the Hindi name beside the English one of %s is that of the catalogue',
  (_id, { en, hi }) => {
    expect(CATALOGUE).toContain(`msgid "${en.message}"\nmsgstr "${hi}"`);
  },
);
