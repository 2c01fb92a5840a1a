/** The workers of Vitest are threads of one process, whose channels they share. Here each worker has its own, as a browser has. */
import { threadId } from 'node:worker_threads';

const ProcessChannel = globalThis.BroadcastChannel;

class WorkerChannel extends ProcessChannel {
  constructor(name: string) {
    super(`${name} of worker ${threadId}`);
  }
}

// This runs for each file, and files of one worker share the global object.
if (ProcessChannel.name !== WorkerChannel.name) globalThis.BroadcastChannel = WorkerChannel;
