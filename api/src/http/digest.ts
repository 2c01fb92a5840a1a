import { createHash } from 'node:crypto';

/** SHA-256 in hex: how random tokens and the keys of counters are stored, of one length whatever was sent. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');
