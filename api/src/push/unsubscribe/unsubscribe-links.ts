/** Tokens of the links that stop alert mails without a sign-in. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const ID_BYTES = 16;
const MAC_BYTES = 16;

/** Signs with the first session key and accepts all of them. A token does not expire, because links in old mails must work. */
export class UnsubscribeLinks {
  private readonly keys: Uint8Array[];

  constructor(sessionKeys: readonly string[]) {
    // Derived keys, because session keys sign sessions only.
    this.keys = sessionKeys.map((key) => new Uint8Array(hkdfSync('sha256', key, '', 'nivida stop alert mails', 32)));
  }

  /** The token of an account: 43 characters, which the log masks. */
  tokenOf(userId: string): string {
    const [key] = this.keys;
    if (!key) throw new Error('There is no session key to sign links with');
    const id = Buffer.from(userId.replaceAll('-', ''), 'hex');
    return Buffer.concat([id, macOf(key, id)]).toString('base64url');
  }

  /** The account of a token; undefined for any other text. */
  userIdOf(token: string): string | undefined {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== ID_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return undefined;
    const id = bytes.subarray(0, ID_BYTES);
    if (!this.keys.some((key) => timingSafeEqual(macOf(key, id), bytes.subarray(ID_BYTES)))) return undefined;
    return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
}

const macOf = (key: Uint8Array, id: Buffer): Buffer =>
  createHmac('sha256', key).update(id).digest().subarray(0, MAC_BYTES);
