/** Keys that identify this server to push services (RFC 8292). */
import { createECDH, createHash, hkdfSync } from 'node:crypto';

const VAPID_CURVE = 'prime256v1';

/** A pair in base64url: 65 bytes and 32 bytes. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** Short id of a public key, stored with each subscription of that key. */
export const vapidKeyId = (publicKey: string): string =>
  createHash('sha256').update(publicKey).digest('hex').slice(0, 16);

/** Whether the keys are on the curve and form a pair. */
export function isVapidKeyPair({ publicKey, privateKey }: VapidKeys): boolean {
  try {
    return derivePublicKey(Buffer.from(privateKey, 'base64url')) === publicKey;
  } catch {
    return false;
  }
}

/** Whether a p256dh is a point on the curve. */
export function isCurvePoint(p256dh: string): boolean {
  const curve = createECDH(VAPID_CURVE);
  curve.generateKeys();
  try {
    return curve.computeSecret(Buffer.from(p256dh, 'base64url')).length > 0;
  } catch {
    return false;
  }
}

/** Derives the pair from a secret; the same in every process. */
export function deriveVapidKeys(secret: string): VapidKeys {
  const privateKey = Buffer.from(hkdfSync('sha256', secret, '', 'VAPID', 32));
  return { publicKey: derivePublicKey(privateKey), privateKey: privateKey.toString('base64url') };
}

function derivePublicKey(privateKey: Buffer): string {
  const curve = createECDH(VAPID_CURVE);
  curve.setPrivateKey(privateKey);
  return curve.getPublicKey('base64url');
}
