/** Sends clicks and dismissals of pushes to the server, without the user. Without a connection they are stored on the device. */
import type { PushEventRequest } from '@nivida/contract/push/push';
import { withStores } from '../../../data/device/worker-database.ts';
import { fetchWithTimeout } from '../../../data/server/fetch-with-timeout.ts';

/** Sends an event. True when the server has accepted it, or has refused it for good. */
async function sendPushEvent(event: PushEventRequest): Promise<boolean> {
  try {
    const answer = await fetchWithTimeout('/api/push/events', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
      keepalive: true,
    });
    return answer.status < 500 && answer.status !== 429;
  } catch {
    return false;
  }
}

/** Sends an event. Without a connection the app sends it later. Never throws. */
export async function recordPushEvent(nid: string, ev: PushEventRequest['ev']): Promise<void> {
  if (await sendPushEvent({ nid, ev })) return;
  await withStores(['pushEvents'], 'readwrite', async ({ pushEvents }) => pushEvents.put({ nid, ev })).catch(
    () => undefined,
  );
}
