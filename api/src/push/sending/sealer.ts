/** Encrypts pushes with web-push in worker threads. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PushSubscription, RequestOptions } from 'web-push';
import type { SealRequest, SealResult } from './seal-thread.ts';

const MAX_THREADS = 3;
/** Pushes per message to a thread. It is small, so that the first are sent while others are encrypted. */
const THREAD_BATCH_SIZE = 20;

/** An encrypted push. */
export interface SealedBody {
  headers: Record<string, string | number>;
  body: Uint8Array;
}

type PendingSeal = { done: (sealed: SealedBody) => void; fail: (error: Error) => void };

/** Encrypts in a few threads, which start with the first push. They do not keep the process alive. */
export class Sealer {
  private readonly waiting = new Map<number, PendingSeal>();
  private threads: Worker[] = [];
  private queued: SealRequest[] = [];
  private requestCount = 0;

  /** Throws when the subscription's keys are invalid. */
  seal(subscription: PushSubscription, payload: string, options: RequestOptions): Promise<SealedBody> {
    const no = ++this.requestCount;
    if (this.queued.length === 0) setImmediate(() => this.dispatch());
    this.queued.push({ no, subscription, payload, options });
    return new Promise((done, fail) => this.waiting.set(no, { done, fail }));
  }

  /** Distributes the queued requests among the threads. */
  private dispatch(): void {
    if (this.threads.length === 0) this.threads = Array.from({ length: threadCount() }, () => this.startThread());
    for (let turn = 0; this.queued.length > 0; turn += 1)
      this.threads[turn % this.threads.length]?.postMessage(this.queued.splice(0, THREAD_BATCH_SIZE));
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    // Ending threads do not answer any more. A push that is sealed meanwhile starts new threads.
    const threads = this.threads;
    this.threads = [];
    await Promise.all(threads.map((thread) => thread.terminate()));
  }

  private startThread(): Worker {
    const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
    // Without the preloads of this process, which do not work in threads.
    const thread = new Worker(join(import.meta.dirname, `seal-thread.${extension}`), { execArgv: [] });
    thread.unref();
    thread.on('message', (answers: SealResult[]) => {
      for (const answer of answers) this.handleResult(answer);
    });
    thread.on('error', (error) => this.failAll(error));
    thread.on('exit', () => {
      if (this.threads.includes(thread)) this.failAll(new Error('A thread ended'));
    });
    return thread;
  }

  private handleResult(answer: SealResult): void {
    const pending = this.waiting.get(answer.no);
    this.waiting.delete(answer.no);
    if ('error' in answer) pending?.fail(new Error(answer.error));
    else pending?.done(answer);
  }

  /** Rejects all pending requests after a thread has failed. Their pushes are sent later with new threads. */
  private failAll(error: Error): void {
    for (const { fail } of this.waiting.values()) fail(new SealThreadError(error.message));
    this.waiting.clear();
    void this.close();
  }
}

/** A thread failed before the push was sent. */
export class SealThreadError extends Error {
  override name = 'SealThreadError';
}

// One core stays free for the main thread.
const threadCount = () => Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1));
