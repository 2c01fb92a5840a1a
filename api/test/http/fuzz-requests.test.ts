/** The server responds to generated requests in time and without server errors. `npm run bench -- requests` sends more. */
import type { AddressInfo } from 'node:net';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendAll } from '../support/raw-request.ts';
import { startShop, type TestShop } from '../support/test-shop.ts';
import { generatedRequests } from './fuzz-requests.ts';
import { type GeneratedTarget, prepareTarget } from './fuzz-target.ts';

const REQUESTS = 500;
/** The same requests in every run. */
const SEED = 20_261_110;

let shop: TestShop;
let target: GeneratedTarget;
let port: number;

beforeAll(async () => {
  shop = await startShop({ now: new Date('2026-11-10T11:30:00+05:30'), env: { TRUST_PROXY: '1' } });
  target = await prepareTarget(shop.app, shop.clock);
  await shop.app.listen(0, '127.0.0.1');
  port = (shop.app.getHttpServer().address() as AddressInfo).port;
});
afterAll(() => shop.close());

test('each of 500 generated requests gets a response, none with a server error', async () => {
  const { json } = await shop.get('/api/openapi.json');
  const requests = fc.sample(generatedRequests(json, target.known), { numRuns: REQUESTS, seed: SEED });
  const { statuses, failures } = await sendAll(port, requests, { tokens: target.tokens, between: target.advanceHour });
  expect(failures).toEqual([]);
  // Requests reach the handlers: a generator whose requests are all refused early would find nothing.
  expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 10);
  expect(statuses.get(429) ?? 0).toBeLessThan(REQUESTS / 20);
});
