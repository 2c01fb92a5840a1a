/** API calls about alerts. A signed-out device sends its secret instead of a session. */
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
import { api, apiOf } from '../../data/server/api.ts';

type DeviceCredentials = Pick<PushDeviceRow, 'id' | 'secret'>;

const subscriptionPath = ({ id }: DeviceCredentials) => `api/push/subscriptions/${id}`;
const deviceAuthorization = ({ secret }: Pick<DeviceCredentials, 'secret'>) => ({ authorization: `Device ${secret}` });

/** The recipient of notices: the signed-in user `owner`, or a signed-out `device` with alerts. */
export interface NoticeRecipient {
  owner: string;
  device: DeviceCredentials | undefined;
}

const apiOfRecipient = ({ owner, device }: NoticeRecipient): typeof api =>
  device ? api.extend({ headers: deviceAuthorization(device) }) : apiOf(owner);

/** The server's current push key. */
export async function fetchPushKey(): Promise<string> {
  return (await api.get('api/push/key').json(PushKeyResponse)).publicKey;
}

/** Body of a new subscription. */
interface NewPushDevice extends UpdateSubscriptionRequest {
  name: string;
  preferences: AlertPreferencesChange;
  tenderIds: string[];
}

/** Registers this browser as a device of `owner`, '' for a visitor. */
export const createPushDevice = (owner: string, device: NewPushDevice): Promise<CreateSubscriptionResponse> =>
  apiOf(owner).post('api/push/subscriptions', { json: device }).json(CreateSubscriptionResponse);

/** Sends the browser's current subscription. The device then belongs to `owner`, '' when signed out. */
export const updatePushDevice = (
  device: DeviceCredentials,
  subscription: UpdateSubscriptionRequest,
  owner: string,
): Promise<SubscriptionResponse> =>
  apiOfRecipient({ owner, device: owner === '' ? device : undefined })
    .put(subscriptionPath(device), { json: subscription })
    .json(SubscriptionResponse);

/** Changes the preferences of a device. */
export const updatePushPreferences = (
  device: DeviceCredentials,
  change: AlertPreferencesChange,
): Promise<SubscriptionResponse> =>
  api
    .patch(subscriptionPath(device), { json: change, headers: deviceAuthorization(device) })
    .json(SubscriptionResponse);

/** The request that removes a device; it is put into the outbox. */
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

/** The calls about alerts by e-mail of the signed-in account. */
export const emailAlertsApi = {
  get: (): Promise<EmailAlertsResponse> => api.get('api/push/email').json(EmailAlertsResponse),
  put: (change: AlertPreferencesChange): Promise<EmailAlertsResponse> =>
    api.put('api/push/email', { json: change }).json(EmailAlertsResponse),
  delete: (): Promise<EmailAlertsResponse> => api.delete('api/push/email').json(EmailAlertsResponse),
};

/** The newest notices of a recipient, or those older than `before`. */
export const fetchNotices = (recipient: NoticeRecipient, before?: string): Promise<NoticeListResponse> =>
  apiOfRecipient(recipient)
    .get('api/notices', before === undefined ? {} : { searchParams: { before } })
    .json(NoticeListResponse);

/** Marks notices as read. */
export const postNoticesRead = (recipient: NoticeRecipient, read: ReadNoticesRequest): Promise<unknown> =>
  apiOfRecipient(recipient).post('api/notices/read', { json: read });
