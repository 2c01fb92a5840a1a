/** The build steps of texts and the catalogues. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { languages } from '@nivida/contract/languages';
import { describe, expect, test } from 'vitest';
import { linguiMacros } from '../../../lingui.ts';
import { literalTexts } from './literal-texts.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Files with texts that stay in their language. */
const EXEMPT = new Set([
  // The notice that the law wants in Hindi.
  'pwa/src/features/info/HindiNotice.tsx',
  // Names of browsers, of departments, and reasons as they are stored.
  'pwa/src/data/device/device-info.ts',
  'pwa/src/data/bid-documents/usual-documents.ts',
  'pwa/src/data/bid-documents/not-needed-reasons.ts',
]);
/** Strings that look like texts and are names. */
const NAMES = new Set([
  ...[
    'Home',
    'End',
    'Desc',
    'Asc',
    'Enter',
    'Files',
    'Esc',
    'Bearer …',
    'Authorization: Key …',
    'Device …',
    'Once …',
    'otp_ctx',
    'device',
    'bookmarkedTenders',
  ],
  // Values that are shown by another text, and names.
  ...['Yes', 'No', 'Coming soon', 'Nivida', 'English', 'Finance', 'Assam', 'MSE, Udyam'],
  // Answered with a code that the app acts on.
  'This copy is too old to be brought up to date',
]);

test('English texts are compiled where they stand, so that a production build needs no catalogue and no compiler', async () => {
  const { transform } = linguiMacros() as {
    transform: { handler: (code: string, id: string) => Promise<{ code: string }> };
  };
  const source = `import { t } from '@lingui/core/macro';
    export const text = (days: number) => t\`Closes in \${days} days\`;`;
  const { code } = await transform.handler(source, 'example.ts');
  expect(code.replace(/\s+/g, ' ')).toContain('message: ["Closes in ", ["days"], " days"]');
});

describe('every text of the app can be translated', () => {
  test.each([
    ['<p>Try again</p>', 'Try again'],
    ['<img alt="A road" />', 'A road'],
    ['<p>{isOpen ? "Open" : t`Closed`}</p>', 'Open'],
    [`<p>{busy ? \`Saving \${name}\` : null}</p>`, 'Saving …'],
    ['<Trans>Read <a title="The terms">them</a></Trans>', 'The terms'],
  ])('%s has a literal text', (jsx, text) => {
    expect(literalTexts(`const x = ${jsx};`, 'example.tsx')).toEqual([`1: ${text}`]);
  });

  test.each([
    '<p>{t`Try again`}</p>',
    '<Trans>Read <a href="/terms">the terms</a></Trans>',
    '<p className="big red">{plural(n, { one: "# tender", other: "# tenders" })}</p>',
    "(() => { throw new TypeError('The route has no screen'); })()",
  ])('%s has none', (code) => {
    expect(literalTexts(`const x = ${code};`, 'example.tsx')).toEqual([]);
  });

  test.each([
    ["throw new AppError('NOT_FOUND', () => 'Order not found')", 'Order not found'],
    ["throw invalidField('otp', () => isUsed ? t`Used` : 'Wrong code')", 'Wrong code'],
    ["const answer = { message: 'You are signed out' }", 'You are signed out'],
    ['const html = inLanguage(language, () => `<h1>Nothing here</h1>`)', 'Nothing here'],
  ])('an answer of the server has a literal text: %s', (code, text) => {
    expect(literalTexts(code, 'api/src/example.ts')).toEqual([`1: ${text}`]);
  });

  test.each([
    "throw new AppError('NOT_FOUND', () => t`Order not found`)",
    "throw new AppError('INVALID', forPrograms('The file is shorter'))",
    "logger.warn('The database is unavailable')",
    'const answer = { message: inLanguage(language, () => t`You are signed out`) }',
    "const title = t({ message: 'Receipt', context: 'document' })",
  ])('an answer of the server has none: %s', (code) => {
    expect(literalTexts(code, 'api/src/example.ts')).toEqual([]);
  });

  test('app and server have none', () => {
    const found = globSync(['pwa/src/**/*.{ts,tsx}', 'api/src/**/*.ts'], { cwd: ROOT }).flatMap((file) =>
      /\.test\.|\/test-/.test(file) || EXEMPT.has(file)
        ? []
        : literalTexts(readFileSync(join(ROOT, file), 'utf8'), file).map((text) => `${file}:${text}`),
    );
    expect(found.filter((text) => !NAMES.has(text.slice(text.indexOf(': ') + 2)))).toEqual([]);
  });
});

test.each(languages().filter((language) => language !== 'en'))(
  'every text of app and server is translated into %s, and its catalogue has no other texts',
  async (language) => {
    const [catalog] = await getCatalogs(getConfig({ cwd: ROOT }));
    const inCode = (await catalog?.collect()) ?? {};
    const translated = (await catalog?.read(language)) ?? {};
    expect(Object.keys(inCode).length).toBeGreaterThan(2_000);
    expect(Object.keys(inCode).filter((id) => !translated[id]?.translation)).toEqual([]);
    expect(Object.keys(translated).filter((id) => !inCode[id])).toEqual([]);
  },
);
