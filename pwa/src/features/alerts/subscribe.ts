/** The browser's push subscription, for the app and its service worker. */
import type { UpdateSubscriptionRequest } from '@nivida/contract/push/push';

/** Maximum wait for the push service. */
const MAX_RESPONSE_MS = 20_000;

/** Bytes as base64url without `=`. */
function toBase64Url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the push service does not answer')), MAX_RESPONSE_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Returns a subscription with the server's key, and replaces one with another key. Throws when the browser
 * refuses, or when its push service does not answer within 20 s.
 */
export async function subscribeToPush(
  { pushManager }: ServiceWorkerRegistration,
  serverKey: string,
): Promise<PushSubscription> {
  const existing = await pushManager.getSubscription();
  const key = existing?.options.applicationServerKey;
  if (existing && (!key || toBase64Url(key) === serverKey)) return existing;
  await existing?.unsubscribe();
  return withTimeout(pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: serverKey }));
}

/** A subscription as the body of a request. */
export function subscriptionBody(
  subscription: PushSubscription,
  applicationServerKey: string,
): UpdateSubscriptionRequest {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' }, applicationServerKey };
}
