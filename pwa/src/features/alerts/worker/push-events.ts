/** Clicked and dismissed pushes, told to the server without saying who did it; without signal they wait on the device. */
import type { PushEventRequest } from '@nivida/contract/push/push';
import { withRawStores } from '../../../data/device/raw-database.ts';
import { fetchWithTimeout } from '../../../data/server/fetch-with-timeout.ts';

/** True when the server has taken it, or never will. */
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

/** Counts one; what cannot be sent now the app sends when it is next online. Never throws. */
export async function recordPushEvent(nid: string, ev: PushEventRequest['ev']): Promise<void> {
  if (await sendPushEvent({ nid, ev })) return;
  await withRawStores(['pushEvents'], 'readwrite', async ({ pushEvents }) => pushEvents.put({ nid, ev })).catch(
    () => undefined,
  );
}
