/** Clicked and dismissed pushes, told to the server without saying who did it; without signal they wait on the device. */
import type { PushEvent } from '@nivida/contract/push';
import { fetchInTime } from '../../../data/fetch-in-time.ts';
import { onStores } from '../../../data/stores.ts';

/** True when the server has taken it, or never will. */
async function send(event: PushEvent): Promise<boolean> {
  try {
    const answer = await fetchInTime('/api/push/events', {
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
export async function countEvent(nid: string, ev: PushEvent['ev']): Promise<void> {
  if (await send({ nid, ev })) return;
  await onStores(['pushEvents'], 'readwrite', async ({ pushEvents }) => pushEvents.put({ nid, ev })).catch(
    () => undefined,
  );
}
