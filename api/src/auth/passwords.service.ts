import { Injectable } from '@nestjs/common';
import { SHORTEST_PASSWORD } from '@nivida/contract/fields';
import { areUsualDigits, foldPassword, isPattern, withoutSubstitutes, wordIn } from '@nivida/contract/password';
import { foldName, REGIONS } from '@nivida/contract/regions';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { AppError, busy } from '../http/app-error.ts';
import { INDIAN_WORDS, TRADE_WORDS } from './indian-words.ts';

/** argon2id (the library's default kind), with OWASP's second minimum: KiB, passes, lanes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
// Each holds 19 MiB and a thread for some 20 ms; who waits behind fifty is better told to come back.
const MOST_AT_ONCE = 4;
const MOST_WAITING = 50;
const RETRY_SECONDS = 2;

/** Costs what a real hash costs; its tag is all zeros, for which nobody has a password. */
const DUMMY_HASH = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** 49,000 passwords in lower case, the commonest first. */
const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common']);
/** Words that are common with a number beside them: the list above, places of India, Indian words, words of the trade. */
const WORDS: ReadonlySet<string> = new Set([...COMMON, ...placeWords(), ...INDIAN_WORDS, ...TRADE_WORDS]);
const PRODUCT = 'nivida tender tenders';
const SHORTEST_WORD = 4;
/** Digits of the own mobile number that count as the number itself. */
const MIN_NUMBER_PART = 5;
const MAX_DIGITS_BESIDE = 4;

const TOO_COMMON = 'This password is too common. Please choose another';
const OWN_WORDS = 'Please choose a password without your name, number or company';
const EASY = 'This password is easy to guess. Please use three or four unrelated words';

/** Hashes and checks passwords, a few at a time, and refuses those that are guessed first. */
@Injectable()
export class PasswordsService {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** The hash of a password with its salt and cost; 503 with Retry-After when too many wait. */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password, COST));
  }

  /** Whether the password has this hash. Null takes as long and is never right. 503 with Retry-After when too many wait. */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const isRight = await this.inTurn(() => verify(passwordHash ?? DUMMY_HASH, password));
    return isRight && passwordHash !== null;
  }

  /** Whether a hash was made more cheaply than today's are. */
  isOutdated(passwordHash: string): boolean {
    const { memoryCost, timeCost } = parseOptions(passwordHash);
    return memoryCost < COST.memoryCost || timeCost < COST.timeCost;
  }

  /**
   * Throws INVALID with the message at `field` for a common password, a common word with a number, a pattern
   * (contract/password.ts), and for a password that is weak without the words of `context` (name, number, company,
   * e-mail) and of the product.
   */
  refuseWeak(password: string, context: string[], field: string): void {
    if (isListed(password)) refuse(field, TOO_COMMON);
    if (isOwn(password, context)) refuse(field, OWN_WORDS);
    if (isCommonWord(password)) refuse(field, TOO_COMMON);
    if (isPattern(password)) refuse(field, EASY);
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < MOST_AT_ONCE) this.running += 1;
    else if (this.waiting.length >= MOST_WAITING) throw busy(RETRY_SECONDS);
    else await new Promise<void>((start) => this.waiting.push(start));
    try {
      return await work();
    } finally {
      // The place goes to the next one in line, or becomes free.
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

/** The password, with letters instead of substitutes, and backwards. */
function formsOf(password: string): string[] {
  const folded = foldPassword(password);
  return [folded, withoutSubstitutes(folded), [...folded].reverse().join('')];
}

const isListed = (password: string): boolean => formsOf(password).some((form) => COMMON.has(form));

/** True for a common word, with or without a usual number. */
function isCommonWord(password: string): boolean {
  const { word, digits } = wordIn(foldPassword(password));
  if (digits.length > MAX_DIGITS_BESIDE && !areUsualDigits(digits)) return false;
  return formsOf(word).some((form) => WORDS.has(form) || WORDS.has(form.replace(/[^\p{L}\p{M}]/gu, '')));
}

/** True when what is left without the own words is short or weak itself. */
function isOwn(password: string, context: string[]): boolean {
  const words = [...context, PRODUCT].flatMap(wordsOf).sort((a, b) => b.length - a.length);
  const numbers = words.filter((word) => /^\d+$/.test(word));
  return formsOf(password).some((form) => {
    const rest = words
      .reduce((left, word) => left.replaceAll(word, ''), form)
      .replace(/\d+/g, (digits) =>
        digits.length >= MIN_NUMBER_PART && numbers.some((number) => number.includes(digits)) ? '' : digits,
      );
    return (
      rest !== form && ([...rest].length < SHORTEST_PASSWORD || isListed(rest) || isCommonWord(rest) || isPattern(rest))
    );
  });
}

/** 'Asha Verma' → asha, verma; '+919812345678' → 9812345678. Shorter words are in too many good passwords. */
function wordsOf(text: string): string[] {
  return foldPassword(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((word) => word.replace(/^91(?=\d{10}$)/, ''))
    .filter((word) => word.length >= SHORTEST_WORD);
}

/** Names of states and districts, whole and word by word: 'himachalpradesh', 'himachal', 'pradesh'. */
function placeWords(): string[] {
  const names = REGIONS.flatMap(({ state, aliases, districts }) => [
    state.name,
    ...aliases,
    ...districts.flatMap((district) => [district.name, ...district.aliases]),
  ]);
  return names.map(foldName).flatMap((name) => [name.replaceAll(' ', ''), ...name.split(' ')]);
}

function refuse(field: string, message: string): never {
  throw new AppError('INVALID', message, { [field]: message });
}
