/** The engine's own thread: searching and packing never hold up a touch. */
import { callHost, type Reply, type Request } from './calls.ts';
import { EngineHost } from './host.ts';
import { CorruptPackError } from './pack-file.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;
const host = new EngineHost();

scope.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  const { id, call, args } = data;
  try {
    const answer = callHost(host, call, args);
    scope.postMessage({ id, answer } satisfies Reply, answer instanceof ArrayBuffer ? [answer] : []);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    const part = error instanceof CorruptPackError ? error.part : null;
    scope.postMessage({ id, error: { name, message, part } } satisfies Reply);
  }
});
