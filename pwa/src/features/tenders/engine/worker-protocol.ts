/** The calls between page and worker. */
import type { EngineHost } from './engine-host.ts';

/** A host's calls by name. */
export type EngineCall = 'load' | 'build' | 'details' | 'search' | 'newest' | 'suggest' | 'tender' | 'summaries';

/** A call on its way to the worker. */
export interface EngineRequest<Name extends EngineCall = EngineCall> {
  id: number;
  call: Name;
  args: Parameters<EngineHost[Name]>;
}

/** What was thrown; an error's class does not survive the way, hence its parts. */
export interface EngineFailure {
  name: string;
  message: string;
  part: number | 'delta' | null;
}

/** The answer to a call. */
export type EngineReply = { id: number; answer: unknown } | { id: number; error: EngineFailure };

/** Makes a call with its own arguments; throws what the host throws. */
export function callHost<Name extends EngineCall>(
  host: EngineHost,
  call: Name,
  args: Parameters<EngineHost[Name]>,
): ReturnType<EngineHost[Name]> {
  // A union of functions cannot be called in TypeScript's eyes.
  return (host[call] as (...args: unknown[]) => ReturnType<EngineHost[Name]>).apply(host, args);
}
