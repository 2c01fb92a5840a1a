import { describe, expect, test } from 'vitest';
import { AppError } from '../base/app-error.ts';
import { PasswordsService } from './passwords/passwords.service.ts';

const CONTEXT = ['Asha Verma', 'asha.v@builders.example', '+919812345678', 'Verma Builders (P) Ltd.'];
const COMMON = 'This password is too common. Please choose another';
const EASY = 'This password is easy to guess. Please use three or four unrelated words';
const OWN_WORDS = 'Please choose a password without your name, number or company';

function refusal(work: () => unknown): AppError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as AppError;
  }
}

describe('a password', () => {
  const passwords = new PasswordsService();

  test.each([
    ['password', COMMON],
    ['Password1', COMMON],
    ['12345678', COMMON],
    ['QWERTY123', COMMON],
    ['iloveyou', COMMON],
    ['asha-verma-1', OWN_WORDS],
    ['VERMA@builders#2026', OWN_WORDS],
    ['9812345678', OWN_WORDS],
    ['9812345678-abc', OWN_WORDS],
    ['vermavermaverma', OWN_WORDS],
    ['Nivida@2026', OWN_WORDS],
    ['tenders-1234', OWN_WORDS],
    ['P@ssw0rd', COMMON],
    ['drowssap', COMMON],
    ['ｐａｓｓｗｏｒｄ', COMMON],
    ['Pass@123', COMMON],
    ['P@55word#2026', COMMON],
    ['Admin@123', COMMON],
    ['Welcome@2024', COMMON],
    ['Qwerty@123', COMMON],
    ['India@1947', COMMON],
    ['Krishna@123', COMMON],
    ['Shimla@4521', COMMON],
    ['Shimla@11111', COMMON],
    ['Meghalaya@4521', COMMON],
    ['Uttaranchal@4521', COMMON],
    ['Ananthapuramu@4521', COMMON],
    ['himachal', COMMON],
    ['Himachal_Pradesh#1', COMMON],
    ['Jai-Shri-Ram-108', COMMON],
    ['Contractor@1', COMMON],
    ['9876543210', EASY],
    ['9418012345', EASY],
    ['15/08/1947', EASY],
    ['abcd@1234', EASY],
    ['asdf;lkj', COMMON],
    ['Zorawar@2024', EASY],
    ['aaaabbbbcccc', EASY],
    ['Asha@2024', OWN_WORDS],
    ['@sha@1990', OWN_WORDS],
    ['amrev#4471', OWN_WORDS],
    ['Verma@12345678', OWN_WORDS],
    ['builders-password', OWN_WORDS],
    ['98123-abcdqx', OWN_WORDS],
    ['8765432189', OWN_WORDS],
  ])('"%s" is refused', (password, message) => {
    const error = refusal(() => passwords.assertStrong(password, CONTEXT, 'newPassword'));
    expect(error).toMatchObject({ code: 'INVALID', status: 400 });
    expect((error as AppError).textsIn('en')).toEqual({ message, fields: { newPassword: message } });
  });

  test.each([
    'quiet-river-72-stones',
    'asha-quiet-river-72',
    'शिमला का मौसम ठंडा',
    'pässwörter-im-schnee',
    'Ltd-8r9w2x',
    'asha-qr-vt-x',
    '9812-kx7mqv',
    'sunflower-82914',
    'cloudy lamp 7',
    'Kx7#mQ2v',
    'sunflower-829143',
    'SnowyRidge7',
  ])('"%s" is accepted', (password) => {
    expect(refusal(() => passwords.assertStrong(password, CONTEXT, 'newPassword'))).toBeUndefined();
  });
});

describe('a hash', () => {
  const passwords = new PasswordsService();

  test('is argon2id with its own salt, and matches its password only', async () => {
    const [one, other] = [await passwords.hash('quiet-river-72'), await passwords.hash('quiet-river-72')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(one).not.toBe(other);
    expect(await passwords.verify(one, 'quiet-river-72')).toBe(true);
    expect(await passwords.verify(one, 'quiet-river-73')).toBe(false);
    expect(passwords.isOutdated(one)).toBe(false);
  });

  test.each([
    ['less memory', 'm=19455,t=2', true],
    ['fewer passes', 'm=19456,t=1', true],
    ['more of both', 'm=19457,t=3', false],
  ])('with %s is outdated only where it is weaker', (_what, cost, isOutdated) => {
    const hash = `$argon2id$v=19$${cost},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    expect(passwords.isOutdated(hash)).toBe(isOutdated);
  });

  test('that is missing matches no password', async () => {
    expect(await passwords.verify(null, 'quiet-river-72')).toBe(false);
    expect(await passwords.verify(null, '')).toBe(false);
  });

  test('that cannot be read frees its place among the four', async () => {
    for (let nth = 1; nth <= 5; nth += 1) await expect(passwords.verify('no hash', 'quiet-river-72')).rejects.toThrow();
    expect(await passwords.verify(null, 'quiet-river-72')).toBe(false);
  });

  test('is computed four at a time, fifty wait, and the next ones are refused with Retry-After', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        passwords.verify(null, 'quiet-river-72').catch((error: AppError) => [error.status, error.retryAfterSeconds]),
      ),
    );
    expect(answers).toEqual([...Array(54).fill(false), ...Array(6).fill([503, 2])]);
    expect(await passwords.verify(null, 'quiet-river-72')).toBe(false);
  });
});
