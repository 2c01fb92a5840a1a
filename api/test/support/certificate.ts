/** A self-signed certificate of this machine: X.509 with only the fields that a TLS client checks. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

/** PEM texts; a client that trusts `cert` trusts a server on localhost with `key`. */
export interface Certificate {
  key: string;
  cert: string;
}

const DAY_MS = 86_400_000;

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const hex = (text: string) => Buffer.from(text, 'hex');
const time = (ms: number) =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));

/** For `localhost` and 127.0.0.1, valid from yesterday for ten days. */
export function createCertificate(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(der(0x06, hex('2a8648ce3d040302')));
  // A client that trusts several of these finds each by its name.
  const name = sequence(der(0x31, sequence(der(0x06, hex('550403')), der(0x0c, Buffer.from(randomUUID())))));
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(Date.now() - DAY_MS), time(Date.now() + 9 * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(der(0x06, hex('551d11')), der(0x04, names)))),
  );
  const signature = sign('sha256', body, privateKey);
  const whole = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}
