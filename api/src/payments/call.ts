/** HTTP calls to a provider, bounded in time and size, and signatures of its webhooks. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { GatewayError, GatewayRejectedError } from './payment-gateway.port.ts';

const MAX_RESPONSE_BYTES = 1_048_576;

/** Timeout of one operation of the port, with all its HTTP calls. */
export const OPERATION_TIMEOUT_MS = 10_000;

/** A provider's response. */
export interface ProviderResponse {
  status: number;
  json: unknown;
}

/** Sends a request until `signal` aborts. Does not follow redirects. Throws GatewayError for anything but JSON of at most 1 MB. */
export async function callProvider(
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<ProviderResponse> {
  try {
    const reply = await fetch(url, { ...init, redirect: 'error' });
    return { status: reply.status, json: JSON.parse(await readBounded(reply)) };
  } catch (error) {
    // The message of a failed fetch is not used: it may contain the address, and with it the reference of an order.
    throw new GatewayError(`The provider could not be asked: ${describeError(error)}`);
  }
}

async function readBounded(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function describeError(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  if (cause?.code) return cause.code;
  return error instanceof SyntaxError ? 'the answer is not JSON' : name;
}

/**
 * Reads the bodies of a provider's responses. Statuses from 500, those in `temporary` and unexpected bodies throw
 * GatewayError; others from 400 throw GatewayRejectedError.
 */
export const responseParser =
  (provider: string, temporary: readonly number[]) =>
  <Schema extends v.GenericSchema>(schema: Schema, { status, json }: ProviderResponse): v.InferOutput<Schema> => {
    if (status >= 500 || temporary.includes(status)) throw new GatewayError(`${provider} answered ${status}`);
    if (status >= 400) throw new GatewayRejectedError(`${provider} refused with ${status}`);
    const parsed = v.safeParse(schema, json);
    if (!parsed.success) throw new GatewayError(`${provider} sent an unexpected response: ${parsed.issues[0].message}`);
    return parsed.output;
  };

/** HMAC-SHA256 of the concatenated parts. */
export function hmac(secret: string, ...parts: (string | Buffer)[]): Buffer {
  const sum = createHmac('sha256', secret);
  for (const part of parts) sum.update(part);
  return sum.digest();
}

/** Compares in constant time. */
export function isEqualDigest(hex: string, digest: Buffer): boolean {
  // Buffer.from ignores characters that are not hex digits, and timingSafeEqual throws for another length.
  return /^[0-9a-f]{64}$/i.test(hex) && timingSafeEqual(Buffer.from(hex, 'hex'), digest);
}
