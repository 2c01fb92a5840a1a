/** One HTTP call to a provider, bounded in time and size; whatever goes wrong is a GatewayError. */
import { GatewayError } from './payment-gateway.port.ts';

const MAX_RESPONSE_BYTES = 1_048_576;

/** How long one operation of the port may take, with everything that it asks for. */
export const OPERATION_TIMEOUT_MS = 10_000;

/** What a provider answered. */
export interface ProviderResponse {
  status: number;
  json: unknown;
}

/** Sends a request; `signal` ends it. Redirects are not followed, an answer must be JSON of at most 1 MB. */
export async function callProvider(
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<ProviderResponse> {
  try {
    const reply = await fetch(url, { ...init, redirect: 'error' });
    return { status: reply.status, json: JSON.parse(await readBounded(reply)) };
  } catch (error) {
    // The message of a failed fetch may hold the address; what is asked of a provider is nobody else's business.
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
