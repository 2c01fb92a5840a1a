/** Calls about alerts. A signed-out device sends its secret; `api` adds a session. */
import {
  type AlertPreferencesChange,
  CreateSubscriptionResponse,
  EmailAlertsResponse,
  NoticeListResponse,
  PushKeyResponse,
  type ReadNoticesRequest,
  SubscriptionResponse,
  type UpdateSubscriptionRequest,
} from '@nivida/contract/push/push';
import type { PushDeviceRow } from '../../data/device/schema.ts';
import type { OutboxRequestInput } from '../../data/outbox/outbox.ts';
import { api } from '../../data/server/api.ts';

type DeviceCredentials = Pick<PushDeviceRow, 'id' | 'secret'>;

const subscriptionPath = ({ id }: DeviceCredentials) => `api/push/subscriptions/${id}`;
const deviceAuthorization = ({ secret }: Pick<DeviceCredentials, 'secret'>) => ({ authorization: `Device ${secret}` });

/** The server's present key. */
export async function fetchPushKey(): Promise<string> {
  return (await api.get('api/push/key').json(PushKeyResponse)).publicKey;
}

/** Body of a new subscription. */
export interface NewPushDevice extends UpdateSubscriptionRequest {
  name: string;
  preferences: AlertPreferencesChange;
  tenderIds: string[];
}

/** Registers this browser as a device of the present user or visitor. */
export const createPushDevice = (device: NewPushDevice): Promise<CreateSubscriptionResponse> =>
  api.post('api/push/subscriptions', { json: device }).json(CreateSubscriptionResponse);

/** Sends the browser's present subscription; with a session the device becomes the user's. */
export const updatePushDevice = (
  device: DeviceCredentials,
  subscription: UpdateSubscriptionRequest,
  isSignedIn: boolean,
): Promise<SubscriptionResponse> =>
  api
    .put(subscriptionPath(device), { json: subscription, ...(!isSignedIn && { headers: deviceAuthorization(device) }) })
    .json(SubscriptionResponse);

/** Changes the preferences of a device. */
export const updatePushPreferences = (
  device: DeviceCredentials,
  change: AlertPreferencesChange,
): Promise<SubscriptionResponse> =>
  api
    .patch(subscriptionPath(device), { json: change, headers: deviceAuthorization(device) })
    .json(SubscriptionResponse);

/** The request that removes a device, for the outbox. */
export const removalOf = (device: DeviceCredentials): OutboxRequestInput => ({
  kind: 'alerts-off',
  method: 'DELETE',
  path: `/${subscriptionPath(device)}`,
  body: null,
  needs: 'authorization',
  authorization: deviceAuthorization(device).authorization,
});

/** Replaces the bookmarks of a signed-out device. */
export const replaceWatchedTenders = (device: DeviceCredentials, tenderIds: readonly string[]): Promise<unknown> =>
  api.put(`${subscriptionPath(device)}/tenders`, { json: { tenderIds }, headers: deviceAuthorization(device) });

/** Alerts of the signed-in account by e-mail. */
export const emailAlertsApi = {
  get: (): Promise<EmailAlertsResponse> => api.get('api/push/email').json(EmailAlertsResponse),
  put: (change: AlertPreferencesChange): Promise<EmailAlertsResponse> =>
    api.put('api/push/email', { json: change }).json(EmailAlertsResponse),
  delete: (): Promise<EmailAlertsResponse> => api.delete('api/push/email').json(EmailAlertsResponse),
};

/** Notices of the session or of a signed-out `device`: the newest, or those older than `before`. */
export const fetchNotices = (device: DeviceCredentials | undefined, before?: string): Promise<NoticeListResponse> =>
  api
    .get('api/notices', {
      ...(before !== undefined && { searchParams: { before } }),
      ...(device && { headers: deviceAuthorization(device) }),
    })
    .json(NoticeListResponse);

/** Marks notices as read. */
export const postNoticesRead = (device: DeviceCredentials | undefined, read: ReadNoticesRequest): Promise<unknown> =>
  api.post('api/notices/read', { json: read, ...(device && { headers: deviceAuthorization(device) }) });
