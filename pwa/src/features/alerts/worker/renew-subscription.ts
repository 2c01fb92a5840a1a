import { readPushDeviceRow } from '../../../data/device/worker-database.ts';
import { fetchWithTimeout } from '../../../data/server/fetch-with-timeout.ts';
import { subscribeToPush, subscriptionBody } from '../subscribe.ts';

/**
 * After the browser or its push service dropped the subscription: creates a new one with the server's present key and sends
 * it to the server. A failure is repaired at the app's next start. Never throws.
 */
export async function renewSubscription(registration: ServiceWorkerRegistration): Promise<void> {
  const device = await readPushDeviceRow();
  if (!device) return;
  try {
    const { publicKey }: { publicKey: string } = await (await fetchWithTimeout('/api/push/key')).json();
    const subscription = await subscribeToPush(registration, publicKey);
    await fetchWithTimeout(`/api/push/subscriptions/${device.id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Device ${device.secret}` },
      body: JSON.stringify(subscriptionBody(subscription, publicKey)),
    });
  } catch {
    // no network, or the permission is gone
  }
}
