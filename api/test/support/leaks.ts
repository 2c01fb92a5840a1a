/**
 * Searches a log for secrets and personal data. On the command line, with secrets after the file:
 * `node api/test/support/leaks.ts FILE [SECRET…]` prints the matches and ends with 1, or with 0 when there are none.
 */
import { readFileSync } from 'node:fs';
import { argv } from 'node:process';

/** Patterns that no log line may match. */
const FORBIDDEN_PATTERNS: readonly [string, RegExp][] = [
  ['an e-mail address', /[\w.+-]+(?:@|%40)(?:[\w-]+\.)+[a-z]{2,}/gi],
  ['a mobile number', /(?<![\da-f]|[\da-f]{4}-)(?:(?:\+|%2b)?91)?[6-9]\d{9}(?![\da-f])/gi],
  ['a session token', /eyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g],
  ['a random token', /(?<![\w-])[\w-]{43}(?![\w-])/g],
  ['a password or code', /"(?:\w*password|otp|token|cookie|authorization)":"(?!\[hidden\])[^"]+"/gi],
];

/** Each leak as a sentence; `secrets` are values of the test itself. */
export function findLeaks(log: string, secrets: readonly string[] = []): string[] {
  const known = secrets.filter((secret) => log.includes(secret)).map((secret) => `the secret ${secret}`);
  const found = FORBIDDEN_PATTERNS.flatMap(([what, pattern]) =>
    // The remainder of an address after the log's masking.
    [...log.matchAll(pattern)].filter(([text]) => !text.startsWith('***')).map(([text]) => `${what}: ${text}`),
  );
  return [...known, ...new Set(found)];
}

if (import.meta.main) {
  const [file = '', ...secrets] = argv.slice(2);
  if (argv.includes('--help')) {
    process.stdout.write(
      'Usage: node api/test/support/leaks.ts FILE [SECRET…]\n\nEnds with 1 when the log holds a secret.\n',
    );
    process.exit();
  }
  const leaks = findLeaks(readFileSync(file, 'utf8'), secrets);
  for (const leak of leaks) process.stdout.write(`${leak}\n`);
  process.exitCode = leaks.length > 0 ? 1 : 0;
}
