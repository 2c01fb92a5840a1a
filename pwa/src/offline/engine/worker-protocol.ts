/** The calls between page and worker. */
import type { EngineHost } from './engine-host.ts';

export type EngineCall =
  | 'load'
  | 'build'
  | 'details'
  | 'search'
  | 'newest'
  | 'suggest'
  | 'tender'
  | 'summaries'
  | 'numbered';

export interface EngineRequest<Name extends EngineCall = EngineCall> {
  id: number;
  call: Name;
  args: Parameters<EngineHost[Name]>;
}

/** The fields of a thrown error: messages do not preserve its class. */
export interface EngineFailure {
  name: string;
  message: string;
  part: number | 'delta' | null;
}

export type EngineReply = { id: number; answer: unknown } | { id: number; error: EngineFailure };

/** Calls the host by name; throws the host's errors. */
export function callHost<Name extends EngineCall>(
  host: EngineHost,
  call: Name,
  args: Parameters<EngineHost[Name]>,
): ReturnType<EngineHost[Name]> {
  // TypeScript cannot call a union of functions.
  return (host[call] as (...args: unknown[]) => ReturnType<EngineHost[Name]>).apply(host, args);
}
