import { randomUUID } from 'node:crypto';
import { type AlertPreferences, DEFAULT_ALERT_PREFERENCES } from '@nivida/contract/push/push';
import type { DataSource } from 'typeorm';
import { vapidKeyId } from '../../../src/base/vapid-keys.ts';
import { sha256Hex } from '../../../src/http/security/cookies.ts';

interface PushDevice {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** Inserts the devices of signed-out visitors, subscribed at one push host. */
export async function insertPushDevices(
  dataSource: DataSource,
  devices: readonly PushDevice[],
  { host, publicKey }: { host: string; publicKey: string },
  preferences: Partial<AlertPreferences> = {},
): Promise<void> {
  const rows = devices.map(({ endpoint, keys }) => {
    const id = randomUUID();
    return { id, recipient: id, endpoint, endpoint_sha256: sha256Hex(endpoint), ...keys };
  });
  await dataSource.query(
    `INSERT INTO push_subscription (id, channel, recipient, secret_sha256, endpoint, endpoint_sha256, host, p256dh, auth,
       vapid_kid, name, preferences, created_at)
     SELECT id, 'push', recipient, '', endpoint, endpoint_sha256, $2, p256dh, auth, $3, '', $4, now()
     FROM json_populate_recordset(NULL::push_subscription, $1)`,
    [
      JSON.stringify(rows),
      host,
      vapidKeyId(publicKey),
      JSON.stringify({ ...DEFAULT_ALERT_PREFERENCES, ...preferences }),
    ],
  );
}
