/** Mails wait in the database for their turn; sealed, so that a copy of it yields no codes, links or addresses. */
import { createHash, hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import type { Mail } from './mail.ts';

const KEY_BYTES = 32;

/** Seals with the first of the session keys and opens with them all, each by its name. */
export class MailSeal {
  private readonly keys: ReadonlyMap<string, Uint8Array>;

  constructor(sessionKeys: readonly string[]) {
    // A key of its own: what signs sessions encrypts nothing.
    const derive = (key: string) => new Uint8Array(hkdfSync('sha256', key, '', 'nivida mail', KEY_BYTES));
    const nameOf = (key: Uint8Array) => createHash('sha256').update(key).digest('hex').slice(0, 16);
    this.keys = new Map(sessionKeys.map(derive).map((key) => [nameOf(key), key]));
  }

  /** The mail as one line of text. */
  seal(mail: Mail): Promise<string> {
    const [current] = this.keys;
    if (!current) throw new Error('There is no session key to seal mails with');
    const [kid, key] = current;
    return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(mail)))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid })
      .encrypt(key);
  }

  /** The mail that was sealed. Throws for any other text and for one whose key is no longer there. */
  async open(sealed: string): Promise<Mail> {
    const { plaintext } = await compactDecrypt(sealed, ({ kid = '' }) => this.keyNamed(kid), {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    const mail = JSON.parse(new TextDecoder().decode(plaintext)) as Mail;
    return mail.kind === 'account-deleted' ? { ...mail, erasedOn: new Date(mail.erasedOn) } : mail;
  }

  private keyNamed(kid: string): Uint8Array {
    const key = this.keys.get(kid);
    if (!key) throw new Error('Unknown key');
    return key;
  }
}
