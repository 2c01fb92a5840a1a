/** The app with a local push service, and devices of users and visitors. */
import type {
  AlertPreferencesChange,
  CreateSubscriptionRequest,
  CreateSubscriptionResponse,
} from '@nivida/contract/push/push';
import { findJob } from '../../src/app/features.ts';
import { deriveVapidKeys } from '../../src/base/vapid-keys.ts';
import type { Database } from '../../src/schema/database.ts';
import type { SignedInAccount } from './accounts.ts';
import { type PushBrowser, type PushService, startPushService } from './push-service.ts';
import { type ApiResponse, emptyTables, startApp, type TestApp } from './start-app.ts';

const { publicKey, privateKey } = deriveVapidKeys('the key of the tests');

/** The server's keys in tests. */
export const VAPID = { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey };

/** A subscribed browser with the server's response. */
export interface SubscribedBrowser extends PushBrowser {
  state: CreateSubscriptionResponse;
  /** The header with the device's secret. */
  headers: { authorization: string };
}

export interface PushApp extends TestApp {
  service: PushService;
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: unknown,
    headers?: object,
  ): Promise<ApiResponse>;
  /** Subscribes a new browser, of `who` or of a visitor. */
  subscribeBrowser(
    who?: SignedInAccount,
    preferences?: AlertPreferencesChange,
    more?: Partial<CreateSubscriptionRequest>,
  ): Promise<SubscribedBrowser>;
  /** Deletes all tenders, accounts and pushes, and sets the clock to `now`. */
  clear(now: Date): Promise<void>;
  /** Runs a job at an instant; default: the app's clock. */
  run(
    job: 'closing-soon' | 'search-alerts' | 'send-pushes' | 'publish-drafts' | 'document-expiry' | 'monthly-partitions',
    at?: Date,
  ): Promise<number>;
}

/** Starts the app and a push service, on `database` or a new one; `env` adds to its settings. */
export async function startPushApp(now: Date, env: NodeJS.ProcessEnv = {}, database?: Database): Promise<PushApp> {
  const service = await startPushService();
  const app = await startApp({
    now,
    database,
    env: { NODE_ENV: 'test', ...VAPID, PUSH_ALLOWED_HOSTS: `fcm.googleapis.com,${service.host}`, ...env },
  });
  const call: PushApp['call'] = async (method, url, body, headers = {}) => {
    const reply = await app.app.inject({
      method,
      url,
      headers: headers as Record<string, string>,
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return {
      status: reply.statusCode,
      headers: reply.headers as Record<string, string>,
      text: reply.body,
      json: reply.body ? reply.json() : undefined,
    };
  };
  return {
    ...app,
    service,
    call,
    async subscribeBrowser(who, preferences = {}, more = {}) {
      const browser = service.subscribe(publicKey);
      const body = { ...browser.subscription, preferences, ...more };
      const { status, json } = await call('POST', '/api/push/subscriptions', body, who?.headers);
      if (status !== 200) throw new Error(`${status} ${json.message}`);
      return Object.assign(browser, { state: json, headers: { authorization: `Device ${json.secret}` } });
    },
    async clear(now) {
      app.clock.now = now;
      await emptyTables(app.database, [
        ...['tender', 'tender_history', 'account', 'rate_limit'],
        ...['push_subscription', 'push_host', 'push_receipt', 'push_tally'],
      ]);
      service.forget();
    },
    run(job, at) {
      if (at) app.clock.now = at;
      const run = findJob(job)?.run;
      if (!run) throw new Error(`There is no job ${job}`);
      return run({ dataSource: app.database.dataSource, now: app.clock.now, find: async (type) => app.app.get(type) });
    },
    async close() {
      await app.close();
      await service.close();
    },
  };
}
