/** Worker thread that encrypts pushes, which is half of their cost. It is a separate entry of the build. */
import { parentPort } from 'node:worker_threads';
import webpush, { type PushSubscription, type RequestOptions } from 'web-push';

/** A request to the thread; the result has the same number. */
export interface SealRequest {
  no: number;
  subscription: PushSubscription;
  payload: string;
  options: RequestOptions;
}

export type SealResult =
  | { no: number; headers: Record<string, string | number>; body: Uint8Array }
  | { no: number; error: string };

// Requests come in batches, because a message for each push would cost a third of the gain.
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
