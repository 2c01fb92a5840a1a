/**
 * Vitest's workers are threads of one process and would share their channels. Here each worker has its own
 * channels, like a browser.
 */
import { threadId } from 'node:worker_threads';

const ProcessChannel = globalThis.BroadcastChannel;

class WorkerChannel extends ProcessChannel {
  constructor(name: string) {
    super(`${name} of worker ${threadId}`);
  }
}

// This runs for each file, and the files of one worker share the global object.
if (ProcessChannel.name !== WorkerChannel.name) globalThis.BroadcastChannel = WorkerChannel;
