/** Encrypts queued mails, so that a copy of the database reveals no codes, links or addresses. */
import { createHash, hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import type { Mail } from './mail.ts';

const KEY_BYTES = 32;

/** Seals with the first session key and opens with all of them, selected by key id. */
export class MailSeal {
  private readonly keys: ReadonlyMap<string, Uint8Array>;

  constructor(sessionKeys: readonly string[]) {
    // Uses a derived key, because the key that signs sessions must not encrypt.
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

  /** The sealed mail. Throws for any other text and for a removed key. */
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
