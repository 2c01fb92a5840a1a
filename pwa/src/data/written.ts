/** The answer that the server wrote into the page: what its first screen would ask for, without the way there and back. */
import * as v from 'valibot';
import type { Kept } from './answers.ts';
import { currentTime } from './clock.ts';

/** A page that the browser had kept, and a device whose clock is wrong, ask the server. */
const FRESH_MS = 60_000;

interface Written {
  call: string;
  at: string;
  answer: unknown;
}

function read(): Partial<Written> {
  try {
    return JSON.parse(globalThis.document?.getElementById('answer')?.textContent ?? '{}');
  } catch {
    return {};
  }
}

/** The answer to the call that begins with `prefix`, kept under the rest of it; empty when the page brought none. */
export function writtenAnswer<T>(prefix: string, schema: v.GenericSchema<unknown, T>): Record<string, Kept<T>> {
  const { call = '', at = '', answer: given } = read();
  if (!call.startsWith(prefix)) return {};
  const receivedAt = new Date(at);
  const answer = v.safeParse(schema, given);
  if (!answer.success || !(Math.abs(currentTime().getTime() - receivedAt.getTime()) < FRESH_MS)) return {};
  return { [call.slice(prefix.length)]: { answer: answer.output, receivedAt } };
}
