/** The calls about alerts. A device shows its secret where nobody is signed in; a session is added by `api`. */
import {
  EmailAlerts,
  type HeldSubscription,
  NoticeList,
  type PreferenceChange,
  PushKey,
  type ReadNotices,
  SubscriptionStart,
  SubscriptionState,
} from '@nivida/contract/push';
import { api } from '../../data/api.ts';
import type { PushDeviceRow } from '../../data/db.ts';
import type { QueuedRequest } from '../../data/outbox.ts';

type Device = Pick<PushDeviceRow, 'id' | 'secret'>;

const at = ({ id }: Device) => `api/push/subscriptions/${id}`;
const shown = ({ secret }: Pick<Device, 'secret'>) => ({ authorization: `Device ${secret}` });

/** The key to subscribe with now. */
export async function askKey(): Promise<string> {
  return (await api.get('api/push/key').json(PushKey)).publicKey;
}

/** What a new subscription brings along. */
export interface NewDevice extends HeldSubscription {
  name: string;
  preferences: PreferenceChange;
  tenderIds: string[];
}

/** Makes this browser a device of whoever is signed in, or of nobody. */
export const postDevice = (device: NewDevice): Promise<SubscriptionStart> =>
  api.post('api/push/subscriptions', { json: device }).json(SubscriptionStart);

/** Tells what the browser holds now; with a session the device becomes its user's. */
export const putDevice = (device: Device, held: HeldSubscription, isSignedIn: boolean): Promise<SubscriptionState> =>
  api.put(at(device), { json: held, ...(!isSignedIn && { headers: shown(device) }) }).json(SubscriptionState);

/** Changes what a device wants. */
export const patchDevice = (device: Device, change: PreferenceChange): Promise<SubscriptionState> =>
  api.patch(at(device), { json: change, headers: shown(device) }).json(SubscriptionState);

/** The request that removes a device, for the outbox. */
export const removalOf = (device: Device): QueuedRequest => ({
  kind: 'alerts-off',
  method: 'DELETE',
  path: `/${at(device)}`,
  body: null,
  needs: 'authorization',
  authorization: shown(device).authorization,
});

/** All tenders that a device without a user keeps. */
export const putWatched = (device: Device, tenderIds: readonly string[]): Promise<unknown> =>
  api.put(`${at(device)}/tenders`, { json: { tenderIds }, headers: shown(device) });

/** Alerts of the signed-in account by e-mail. */
export const email = {
  get: (): Promise<EmailAlerts> => api.get('api/push/email').json(EmailAlerts),
  put: (change: PreferenceChange): Promise<EmailAlerts> =>
    api.put('api/push/email', { json: change }).json(EmailAlerts),
  delete: (): Promise<EmailAlerts> => api.delete('api/push/email').json(EmailAlerts),
};

/** The notices of the session, or of `device`, on which no user is signed in: the newest, or those older than `before`. */
export const getNotices = (device: Device | undefined, before?: string): Promise<NoticeList> =>
  api
    .get('api/notices', {
      ...(before !== undefined && { searchParams: { before } }),
      ...(device && { headers: shown(device) }),
    })
    .json(NoticeList);

/** Tells that notices were read. */
export const postRead = (device: Device | undefined, read: ReadNotices): Promise<unknown> =>
  api.post('api/notices/read', { json: read, ...(device && { headers: shown(device) }) });
