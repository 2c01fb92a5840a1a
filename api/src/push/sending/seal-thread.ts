/** A thread that encrypts: half of what a push costs, and all of it arithmetic. Has a file of its own in the build. */
import { parentPort } from 'node:worker_threads';
import webpush, { type PushSubscription, type RequestOptions } from 'web-push';

/** What the thread is asked, and what it answers under the same number. */
export interface SealRequest {
  no: number;
  subscription: PushSubscription;
  payload: string;
  options: RequestOptions;
}

export type SealResult =
  | { no: number; headers: Record<string, string | number>; body: Uint8Array }
  | { no: number; error: string };

// Several at a time: a message of its own for each would cost a third of what is gained.
parentPort?.on('message', (requests: SealRequest[]) => {
  parentPort?.postMessage(requests.map(seal));
});

function seal({ no, subscription, payload, options }: SealRequest): SealResult {
  try {
    const { headers, body } = webpush.generateRequestDetails(subscription, payload, options);
    return { no, headers: headers as Record<string, string | number>, body: body as Buffer };
  } catch (error) {
    return { no, error: (error as Error).message };
  }
}
