import { fetchInTime } from '../../../data/fetch-in-time.ts';
import { subscribe, toWire } from '../subscribe.ts';
import { readDevice } from './device-row.ts';

/**
 * The browser or its push service has dropped the subscription: makes a new one with the server's present key, and tells
 * the server. What fails here is done by the app's next start. Never throws.
 */
export async function renewSubscription(registration: ServiceWorkerRegistration): Promise<void> {
  const device = await readDevice();
  if (!device) return;
  try {
    const { publicKey }: { publicKey: string } = await (await fetchInTime('/api/push/key')).json();
    const subscription = await subscribe(registration, publicKey);
    await fetchInTime(`/api/push/subscriptions/${device.id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Device ${device.secret}` },
      body: JSON.stringify(toWire(subscription, publicKey)),
    });
  } catch {
    // no network, or the permission is gone
  }
}
