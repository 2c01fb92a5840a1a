/** Encrypts pushes by web-push, in threads beside the one that talks to the database and the push services. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PushSubscription, RequestOptions } from 'web-push';
import type { SealRequest, SealResult } from './seal-thread.ts';

const MAX_THREADS = 3;
/** Pushes of one message to a thread and back: few enough that the first are sent while the others are encrypted. */
const THREAD_BATCH_SIZE = 20;

/** An encrypted push: the headers that say how, and the body. */
export interface SealedBody {
  headers: Record<string, string | number>;
  body: Uint8Array;
}

type PendingSeal = { done: (sealed: SealedBody) => void; fail: (error: Error) => void };

/** A few threads, started with the first push; they keep no process alive. */
export class Sealer {
  private readonly waiting = new Map<number, PendingSeal>();
  private threads: Worker[] = [];
  private queued: SealRequest[] = [];
  private requestCount = 0;

  /** Throws when the subscription's keys cannot be used. */
  seal(subscription: PushSubscription, payload: string, options: RequestOptions): Promise<SealedBody> {
    const no = ++this.requestCount;
    if (this.queued.length === 0) setImmediate(() => this.dispatch());
    this.queued.push({ no, subscription, payload, options });
    return new Promise((done, fail) => this.waiting.set(no, { done, fail }));
  }

  /** Shares what was asked meanwhile out among the threads. */
  private dispatch(): void {
    if (this.threads.length === 0) this.threads = Array.from({ length: threadCount() }, () => this.startThread());
    for (let turn = 0; this.queued.length > 0; turn += 1)
      this.threads[turn % this.threads.length]?.postMessage(this.queued.splice(0, THREAD_BATCH_SIZE));
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.terminate()));
    this.threads = [];
  }

  private startThread(): Worker {
    // As source where this file is source, as built where it is built.
    const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
    // Without what this process was preloaded with, which is not made for threads.
    const thread = new Worker(join(import.meta.dirname, `seal-thread.${extension}`), { execArgv: [] });
    thread.unref();
    thread.on('message', (answers: SealResult[]) => {
      for (const answer of answers) this.handleResult(answer);
    });
    thread.on('error', (error) => this.failAll(error));
    return thread;
  }

  private handleResult(answer: SealResult): void {
    const pending = this.waiting.get(answer.no);
    this.waiting.delete(answer.no);
    if ('error' in answer) pending?.fail(new Error(answer.error));
    else pending?.done(answer);
  }

  /** A thread that broke takes what it had to do with it: all of it is tried again, by new ones. */
  private failAll(error: Error): void {
    for (const { fail } of this.waiting.values()) fail(new SealThreadError(error.message));
    this.waiting.clear();
    void this.close();
  }
}

/** The threads broke: the push is as good as not tried. */
export class SealThreadError extends Error {
  override name = 'SealBroken';
}

// One core is left to the thread that sends.
const threadCount = () => Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1));
