import { t } from '@lingui/core/macro';
import { Injectable } from '@nestjs/common';
import {
  areCommonDigits,
  extractPasswordWord,
  foldPassword,
  isPatternPassword,
  withoutSubstitutes,
} from '@nivida/contract/account/password';
import { MIN_PASSWORD_CHARACTERS } from '@nivida/contract/fields';
import { foldName, REGIONS } from '@nivida/contract/regions/regions';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { invalidField, serverBusy } from '../../base/app-error.ts';
import { INDIAN_WORDS, TRADE_WORDS } from './indian-words.ts';

/** argon2id (the library's default) with the second minimum of OWASP: KiB, passes, lanes. */
const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
// Each hash needs 19 MiB and a thread for about 20 ms.
const MAX_CONCURRENT_HASHES = 4;
const MAX_WAITING_HASHES = 50;
const RETRY_AFTER_SECONDS = 2;

/** Verifying it takes as long as a real hash. Its tag is all zeros, so no password matches. */
const DUMMY_HASH = `$argon2id$v=19$m=${ARGON2_OPTIONS.memoryCost},t=${ARGON2_OPTIONS.timeCost},p=${ARGON2_OPTIONS.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** 49,000 passwords in lower case, most common first. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(dictionary['passwords-common']);
/** Words that stay weak when a number is added: common passwords, Indian places and words, words of the trade. */
const COMMON_WORDS: ReadonlySet<string> = new Set([
  ...COMMON_PASSWORDS,
  ...placeWords(),
  ...INDIAN_WORDS,
  ...TRADE_WORDS,
]);
const PRODUCT_WORDS = 'nivida tender tenders';
const MIN_WORD_CHARACTERS = 4;
/** This many digits of the user's mobile number count as the number itself. */
const MIN_NUMBER_DIGITS = 5;
const MAX_DIGITS_BESIDE = 4;

const tooCommonText = () => t`This password is too common. Please choose another`;
const ownWordsText = () => t`Please choose a password without your name, number or company`;
const easyText = () => t`This password is easy to guess. Please use three or four unrelated words`;

/** Hashes and verifies passwords, a few at a time, and refuses weak ones. */
@Injectable()
export class PasswordsService {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** The hash with its salt and cost; 503 with Retry-After when too many wait. */
  hash(password: string): Promise<string> {
    return this.runLimited(() => hash(password, ARGON2_OPTIONS));
  }

  /** Whether the password matches. A null hash takes as long and never matches. 503 with Retry-After when too many wait. */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const isRight = await this.runLimited(() => verify(passwordHash ?? DUMMY_HASH, password));
    return isRight && passwordHash !== null;
  }

  /** Whether a hash was computed at a lower cost than the current one. */
  isOutdated(passwordHash: string): boolean {
    const { memoryCost, timeCost } = parseOptions(passwordHash);
    return memoryCost < ARGON2_OPTIONS.memoryCost || timeCost < ARGON2_OPTIONS.timeCost;
  }

  /**
   * Throws INVALID with a message at `field` for a weak password: a common one, a common word with a number, a pattern
   * (contract/account/password.ts), or little more than words of `context` (name, number, company, e-mail) or of the product.
   */
  assertStrong(password: string, context: string[], field: string): void {
    if (isCommonPassword(password)) throw invalidField(field, tooCommonText);
    if (isOwnWords(password, context)) throw invalidField(field, ownWordsText);
    if (isCommonWord(password)) throw invalidField(field, tooCommonText);
    if (isPatternPassword(password)) throw invalidField(field, easyText);
  }

  private async runLimited<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < MAX_CONCURRENT_HASHES) this.running += 1;
    else if (this.waiting.length >= MAX_WAITING_HASHES) throw serverBusy(RETRY_AFTER_SECONDS);
    else await new Promise<void>((start) => this.waiting.push(start));
    try {
      return await work();
    } finally {
      // Passes the slot to the next waiting call, or frees it.
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

/** The folded password, the password with letters for substitutes ('@' → 'a'), and the reversed password. */
function passwordVariants(password: string): string[] {
  const folded = foldPassword(password);
  return [folded, withoutSubstitutes(folded), [...folded].reverse().join('')];
}

const isCommonPassword = (password: string): boolean =>
  passwordVariants(password).some((form) => COMMON_PASSWORDS.has(form));

/** Whether the password is a common word, with or without a usual number. */
function isCommonWord(password: string): boolean {
  const { word, digits } = extractPasswordWord(foldPassword(password));
  if (digits.length > MAX_DIGITS_BESIDE && !areCommonDigits(digits)) return false;
  return passwordVariants(word).some(
    (form) => COMMON_WORDS.has(form) || COMMON_WORDS.has(form.replace(/[^\p{L}\p{M}]/gu, '')),
  );
}

/** Whether the password contains the user's own words and the rest is short or weak. */
function isOwnWords(password: string, context: string[]): boolean {
  const words = [...context, PRODUCT_WORDS].flatMap(splitOwnWords).sort((a, b) => b.length - a.length);
  const numbers = words.filter((word) => /^\d+$/.test(word));
  return passwordVariants(password).some((form) => {
    const rest = words
      .reduce((left, word) => left.replaceAll(word, ''), form)
      .replace(/\d+/g, (digits) =>
        digits.length >= MIN_NUMBER_DIGITS && numbers.some((number) => number.includes(digits)) ? '' : digits,
      );
    return (
      rest !== form &&
      ([...rest].length < MIN_PASSWORD_CHARACTERS ||
        isCommonPassword(rest) ||
        isCommonWord(rest) ||
        isPatternPassword(rest))
    );
  });
}

/** 'Asha Verma' → asha, verma; '+919812345678' → 9812345678. Shorter words occur in too many good passwords. */
function splitOwnWords(text: string): string[] {
  return foldPassword(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((word) => word.replace(/^91(?=\d{10}$)/, ''))
    .filter((word) => word.length >= MIN_WORD_CHARACTERS);
}

/** Names of states and districts, joined and as single words: 'himachalpradesh', 'himachal', 'pradesh'. */
function placeWords(): string[] {
  const names = REGIONS.flatMap(({ state, aliases, districts }) => [
    state.name,
    ...aliases,
    ...districts.flatMap((district) => [district.name, ...district.aliases]),
  ]);
  return names.map(foldName).flatMap((name) => [name.replaceAll(' ', ''), ...name.split(' ')]);
}
