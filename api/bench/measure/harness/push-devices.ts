import { randomUUID } from 'node:crypto';
import { DEFAULT_ALERT_PREFERENCES } from '@nivida/contract/push/push';
import type { DataSource } from 'typeorm';
import { vapidKeyId } from '../../../src/base/vapid-keys.ts';
import { sha256Hex } from '../../../src/http/security/cookies.ts';
import type { PushBrowser, PushService } from '../../../test/support/push-service.ts';
import { createSourceTender, importTenders } from '../../../test/support/source-tenders.ts';
import { BENCH_VAPID_KEYS } from './server-processes.ts';

const HOUR_MS = 3_600_000;

interface PushDevice {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** Inserts the devices of signed-out visitors, subscribed at one push host, without quiet hours: benchmarks run at any hour. */
export async function insertPushDevices(
  dataSource: DataSource,
  devices: readonly PushDevice[],
  { host, publicKey }: { host: string; publicKey: string },
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
    [JSON.stringify(rows), host, vapidKeyId(publicKey), JSON.stringify({ ...DEFAULT_ALERT_PREFERENCES, quiet: null })],
  );
}

/**
 * Subscribes `count` browsers of signed-out visitors. They follow a tender that closes in two and a half
 * hours, so that a reminder of each is due. Its state has no other tenders.
 */
export async function subscribeToClosingTender(
  dataSource: DataSource,
  pushes: PushService,
  count: number,
): Promise<PushBrowser[]> {
  const earlier = new Date(Date.now() - HOUR_MS);
  const times = { publishedAt: earlier, closesAt: new Date(Date.now() + 2.5 * HOUR_MS) };
  const closing = createSourceTender({ state: 'Goa', sourceId: '2026_PWD_9999_1', ...times });
  await importTenders(dataSource, [closing], { now: earlier });
  const { publicKey } = BENCH_VAPID_KEYS;
  const browsers = Array.from({ length: count }, () => pushes.subscribe(publicKey));
  const devices = browsers.map(({ subscription }) => subscription);
  await insertPushDevices(dataSource, devices, { host: pushes.host, publicKey });
  await dataSource.query(
    `INSERT INTO push_watch SELECT s.id, t.id, now() FROM push_subscription s, tender t WHERE t.source_id = $1`,
    [closing.sourceId],
  );
  return browsers;
}
