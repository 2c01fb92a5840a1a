import { Injectable } from '@nestjs/common';
import { SHORTEST_PASSWORD } from '@nivida/contract/fields';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { AppError, busy } from '../http/app-error.ts';

/** argon2id (the library's default kind), with OWASP's second minimum: KiB, passes, lanes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
// Each holds 19 MiB and a thread for some 20 ms; who waits behind fifty is better told to come back.
const MOST_AT_ONCE = 4;
const MOST_WAITING = 50;
const RETRY_SECONDS = 2;

/** Costs what a real hash costs; its tag is all zeros, for which nobody has a password. */
const DUMMY_HASH = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** The passwords that are tried first everywhere, in lower case; shorter ones are refused for their length. */
const COMMON: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= SHORTEST_PASSWORD),
);
const PRODUCT = 'nivida tender tenders';
const SHORTEST_WORD = 4;

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
   * Throws INVALID with the message at `field` for one of the common passwords, and for one of which fewer than 8
   * characters are left without the words of `context` (name, number, company, e-mail) and of the product.
   */
  refuseWeak(password: string, context: string[], field: string): void {
    const folded = fold(password);
    const words = [...context, PRODUCT].flatMap(wordsOf).sort((a, b) => b.length - a.length);
    const rest = words.reduce((left, word) => left.replaceAll(word, ''), folded);
    if (COMMON.has(folded)) refuse(field, 'This password is too common. Please choose another');
    if ([...rest].length < SHORTEST_PASSWORD)
      refuse(field, 'Please choose a password without your name, number or company');
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

const fold = (text: string) => text.normalize('NFKC').toLowerCase();

/** 'Asha Verma' → asha, verma; '+919812345678' → 9812345678. Shorter words are in too many good passwords. */
function wordsOf(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((word) => word.replace(/^91(?=\d{10}$)/, ''))
    .filter((word) => word.length >= SHORTEST_WORD);
}

function refuse(field: string, message: string): never {
  throw new AppError('INVALID', message, { [field]: message });
}
