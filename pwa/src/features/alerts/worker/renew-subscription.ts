import { readPushDeviceRow } from '../../../data/device/worker-database.ts';
import { fetchWithTimeout } from '../../../data/server/fetch-with-timeout.ts';
import { subscribeToPush, subscriptionBody } from '../subscribe.ts';

/**
 * Called when the browser or its push service has dropped the subscription. Creates a new one with the
 * server's current key and sends it to the server. The app's next start repairs a failure. Never throws.
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
    // There is no network, or the permission is gone.
  }
}
