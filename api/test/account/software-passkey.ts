/** An authenticator and its browser, in software: it answers the options of the server with keys of its own. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const HAS_KEY = 0x40;

/** What the browser says that differs from the truth. */
export interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** False: the user was not verified by the lock of the device. */
  isVerified?: boolean;
  counter?: number;
  userHandle?: string | null;
  isTampered?: boolean;
  attachment?: 'platform' | 'cross-platform';
}

interface Options {
  challenge: string;
  [name: string]: unknown;
}

type Cbor = number | string | Buffer | Map<Cbor, Cbor>;

/** CBOR of the few types that an attestation has. */
function cbor(value: Cbor): Buffer {
  const head = (type: number, size: number): Buffer => {
    if (size < 24) return Buffer.from([(type << 5) | size]);
    if (size < 256) return Buffer.from([(type << 5) | 24, size]);
    return Buffer.from([(type << 5) | 25, size >> 8, size & 0xff]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])]);
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

/** One passkey (ES256). Its counter rises with each signature, or stays 0 when it is synchronised. */
export class SoftwarePasskey {
  readonly id = base64url(randomBytes(32));
  private readonly privateKey: KeyObject;
  private readonly coseKey: Buffer;
  private userHandle: string | null = null;
  counter = 0;

  constructor(
    private readonly origin: string,
    private readonly isSynced = false,
  ) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.privateKey = privateKey;
    this.coseKey = cbor(
      new Map<Cbor, Cbor>([
        ...([
          [1, 2],
          [3, -7],
          [-1, 1],
        ] as const),
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
  }

  /** The answer to options for creating it. */
  create(options: Options, lies: Lies = {}) {
    const { id } = options.user as { id: string };
    this.userHandle = id;
    const idBytes = Buffer.from(this.id, 'base64url');
    const size = Buffer.from([idBytes.length >> 8, idBytes.length & 0xff]);
    const key = Buffer.concat([Buffer.alloc(16), size, idBytes, this.coseKey]);
    const authData = this.authenticatorData((options.rp as { id: string }).id, lies, key);
    const attestation = new Map<Cbor, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return {
      ...this.credential(lies),
      response: {
        clientDataJSON: base64url(this.clientData('webauthn.create', options, lies)),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal'],
      },
    };
  }

  /** The answer to options for showing it. */
  show(options: Options, lies: Lies = {}) {
    if (!this.isSynced) this.counter += 1;
    const authenticatorData = this.authenticatorData(options.rpId as string, lies);
    const clientData = this.clientData('webauthn.get', options, lies);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), this.privateKey);
    if (lies.isTampered) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
    return {
      ...this.credential(lies),
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        userHandle: lies.userHandle === undefined ? this.userHandle : lies.userHandle,
      },
    };
  }

  private credential({ attachment = 'platform' }: Lies) {
    return {
      ...{ id: this.id, rawId: this.id, type: 'public-key', authenticatorAttachment: attachment },
      clientExtensionResults: {},
    };
  }

  private clientData(type: string, options: Options, { origin = this.origin, challenge }: Lies): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: challenge ?? options.challenge, origin, crossOrigin: false }));
  }

  private authenticatorData(rpId: string, lies: Lies, key?: Buffer): Buffer {
    const flags =
      USER_PRESENT |
      (lies.isVerified === false ? 0 : USER_VERIFIED) |
      (this.isSynced ? BACKUP_ELIGIBLE | BACKED_UP : 0) |
      (key ? HAS_KEY : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lies.counter ?? this.counter);
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([flags]), counter, key ?? Buffer.alloc(0)]);
  }
}
