/** The engine's worker: searches and index builds do not block the page. */

import { CorruptSegmentIndexError } from '../segments/segment-index-file.ts';
import { EngineHost } from './engine-host.ts';
import { callHost, type EngineReply, type EngineRequest } from './worker-protocol.ts';

const workerScope = self as unknown as DedicatedWorkerGlobalScope;
const host = new EngineHost();

workerScope.addEventListener('message', async ({ data }: MessageEvent<EngineRequest>) => {
  const { id, call, args } = data;
  try {
    const answer = await callHost(host, call, args);
    workerScope.postMessage({ id, answer } satisfies EngineReply, answer instanceof ArrayBuffer ? [answer] : []);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    const part = error instanceof CorruptSegmentIndexError ? error.part : null;
    workerScope.postMessage({ id, error: { name, message, part } } satisfies EngineReply);
  }
});
