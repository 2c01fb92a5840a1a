/** The calls about alerts. A device shows its secret where nobody is signed in; a session is added by `api`. */
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

/** The key to subscribe with now. */
export async function fetchPushKey(): Promise<string> {
  return (await api.get('api/push/key').json(PushKeyResponse)).publicKey;
}

/** What a new subscription brings along. */
export interface NewPushDevice extends UpdateSubscriptionRequest {
  name: string;
  preferences: AlertPreferencesChange;
  tenderIds: string[];
}

/** Makes this browser a device of whoever is signed in, or of nobody. */
export const createPushDevice = (device: NewPushDevice): Promise<CreateSubscriptionResponse> =>
  api.post('api/push/subscriptions', { json: device }).json(CreateSubscriptionResponse);

/** Tells what the browser holds now; with a session the device becomes its user's. */
export const updatePushDevice = (
  device: DeviceCredentials,
  subscription: UpdateSubscriptionRequest,
  isSignedIn: boolean,
): Promise<SubscriptionResponse> =>
  api
    .put(subscriptionPath(device), { json: subscription, ...(!isSignedIn && { headers: deviceAuthorization(device) }) })
    .json(SubscriptionResponse);

/** Changes what a device wants. */
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

/** All tenders that a device without a user keeps. */
export const replaceWatchedTenders = (device: DeviceCredentials, tenderIds: readonly string[]): Promise<unknown> =>
  api.put(`${subscriptionPath(device)}/tenders`, { json: { tenderIds }, headers: deviceAuthorization(device) });

/** Alerts of the signed-in account by e-mail. */
export const emailAlertsApi = {
  get: (): Promise<EmailAlertsResponse> => api.get('api/push/email').json(EmailAlertsResponse),
  put: (change: AlertPreferencesChange): Promise<EmailAlertsResponse> =>
    api.put('api/push/email', { json: change }).json(EmailAlertsResponse),
  delete: (): Promise<EmailAlertsResponse> => api.delete('api/push/email').json(EmailAlertsResponse),
};

/** The notices of the session, or of `device`, on which no user is signed in: the newest, or those older than `before`. */
export const fetchNotices = (device: DeviceCredentials | undefined, before?: string): Promise<NoticeListResponse> =>
  api
    .get('api/notices', {
      ...(before !== undefined && { searchParams: { before } }),
      ...(device && { headers: deviceAuthorization(device) }),
    })
    .json(NoticeListResponse);

/** Tells that notices were read. */
export const postNoticesRead = (device: DeviceCredentials | undefined, read: ReadNoticesRequest): Promise<unknown> =>
  api.post('api/notices/read', { json: read, ...(device && { headers: deviceAuthorization(device) }) });
