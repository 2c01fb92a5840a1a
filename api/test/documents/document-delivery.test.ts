import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DownloadTickets } from '../../src/documents/delivery/tickets.ts';
import { DocumentsService } from '../../src/documents/documents.service.ts';
import { PackagesService } from '../../src/documents/packages/packages.service.ts';
import { createSession } from '../support/accounts.ts';
import { buyDocuments, SUMMARY_NAMES } from '../support/paid-orders.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { findLastMail, findLink, readSentMails } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T12:00:00+05:30');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let app: TestApp;
let folder: string;
let nit: string;
let tenderId: number;
let bought = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-delivery-'));
  app = await startApp({ now: NOW, env: { FILES_URL: `file://${folder}` } });
  await importTenders(app.database.dataSource, [createSourceTender({ title: 'Hall <b>"A"</b>' })], {
    now: NOW,
    origin: 'generated',
  });
  const [row] = await app.database.dataSource.query('SELECT id FROM tender');
  tenderId = row.id;
  nit = `tender-${tenderId}`;
  expect(await app.app.get(DocumentsService).isReady(nit, tenderId)).toBe(true);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  app.clock.now = NOW;
});

/** Buys as a guest, runs the delivery and returns the link of the mail. */
async function buy(changes: Parameters<typeof buyDocuments>[1] = {}) {
  const buyerEmail = `buyer${++bought}@builders.example`;
  const { dataSource } = app.database;
  const { order, entitlement } = await buyDocuments(dataSource, {
    tenderId,
    nit,
    buyerEmail,
    title: 'Hall <b>"A"</b>',
    ...changes,
  });
  await dataSource.transaction((manager) =>
    app.app.get(DocumentsService).queueDelivery(manager, order, entitlement, app.clock.now),
  );
  const mail = await findLastMail(app, order.buyerEmail);
  return { order, entitlement, mail, path: new URL(findLink(mail)).pathname };
}

const post = (url: string) =>
  app.app.inject({ method: 'POST', url, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
const ticketOf = async (path: string): Promise<string> => {
  const reply = await post(path);
  expect(reply.statusCode).toBe(303);
  return reply.headers.location as string;
};
const get = (url: string, headers: Record<string, string> = {}) => app.app.inject({ method: 'GET', url, headers });
const fetches = async (path: string): Promise<number> => {
  const sha256 = createHash('sha256').update(path.slice(3)).digest('hex');
  const [row] = await app.database.dataSource.query('SELECT fetches FROM download_link WHERE token_sha256 = $1', [
    sha256,
  ]);
  return row.fetches;
};

test('the mail links to a page that shows the package and changes nothing', async () => {
  const { order, mail, path } = await buy();
  expect(mail.subject).toBe('Your tender documents');
  expect(mail.text).toContain(order.publicId);
  expect(mail.text).toContain('The link works until 17 Nov 2026, 12:00 PM, up to 20 times.');
  expect(mail.text).toContain('DEMONSTRATION');
  expect(path).toMatch(/^\/d\/[\w-]{43}$/);
  const found = await app.app.get(PackagesService).findNewest(nit);
  for (let n = 0; n < 30; n++) expect((await get(path)).statusCode).toBe(200);
  const page = await get(path);
  expect(page.body).toContain(found?.sha256);
  expect(page.body).toContain('NIT-summary.pdf');
  expect(page.body).toContain('Hall &lt;b&gt;&quot;A&quot;&lt;/b&gt;');
  expect(page.body).toContain('DEMONSTRATION');
  expect(page.body).toContain('17 Nov 2026, 12:00 PM, after 20 more downloads');
  expect(page.body).not.toMatch(/<script|style="|<style/);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  });
  expect(page.headers['content-security-policy']).toContain("form-action 'self'");
  expect(await fetches(path)).toBe(0);
});

test('the page is in the language in which the order was placed', async () => {
  const { order, path } = await buy();
  await app.database.dataSource.query("UPDATE orders SET language = 'hi' WHERE id = $1", [order.id]);
  const { body } = await get(path, { 'accept-language': 'en' });
  expect(body).toContain('<html lang="hi-IN">');
  expect(body).toContain('<button>डाउनलोड करें (');
});

test('its style sheet comes from the same server', async () => {
  const reply = await get('/d/style.css');
  expect(reply.statusCode).toBe(200);
  expect(reply.headers['content-type']).toBe('text/css; charset=utf-8');
  expect(reply.headers['cache-control']).toBe('public, max-age=604800');
});

test('the button downloads the file with the shown digest', async () => {
  const { path } = await buy();
  const pressed = await post(path);
  expect(pressed.statusCode).toBe(303);
  expect(pressed.headers).toMatchObject({
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  });
  const file = await get(String(pressed.headers.location));
  const found = await app.app.get(PackagesService).findNewest(nit);
  expect(file.statusCode).toBe(200);
  expect(createHash('sha256').update(file.rawPayload).digest('hex')).toBe(found?.sha256);
  expect(file.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(found?.bytes),
    'accept-ranges': 'bytes',
    etag: `"${found?.sha256}"`,
    'repr-digest': `sha-256=:${createHash('sha256').update(file.rawPayload).digest('base64')}:`,
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'x-content-type-options': 'nosniff',
  });
  expect(file.headers['content-disposition']).toMatch(
    /^attachment; filename="nivida-tender-\d+-v1\.zip"; filename\*=UTF-8''Hall%20%3Cb%3E%22A%22%3C%2Fb%3E%20%28version%201%29\.zip$/,
  );
  expect(file.headers['content-encoding']).toBeUndefined();
  expect(await fetches(path)).toBe(1);
});

test('no sign of a title has a meaning in the header with the name of the file', async () => {
  const title = `Bob's (old) "hall"; no. 1*2, 50 % = full\\ हॉल`;
  const { path } = await buy({ title });
  const { headers } = await get(await ticketOf(path));
  // RFC 8187: these characters stand for themselves, all others are encoded.
  const [, name = ''] = /; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(String(headers['content-disposition'])) ?? [];
  expect(decodeURIComponent(name)).toBe(`${title} (version 1).zip`);
});

test('the file of a package is named by the first 80 characters of its title, and by the last 60 of its NIT', async () => {
  const { dataSource } = app.database;
  const noticeKey = `hptenders|"2026"\r\nPWD/${'7'.repeat(58)}`;
  await dataSource.query(
    `INSERT INTO document_package (nit, version, file_key, sha256, bytes, file_names, fingerprint, is_demonstration, created_at)
     SELECT $2, version, file_key, sha256, bytes, file_names, fingerprint, is_demonstration, created_at
     FROM document_package WHERE nit = $1`,
    [nit, noticeKey],
  );
  const { path } = await buy({ nit: noticeKey, title: `${'x'.repeat(79)}𝐁ridge` });
  const { headers } = await get(await ticketOf(path));
  expect(headers['content-disposition']).toBe(
    `attachment; filename="nivida-D_${'7'.repeat(58)}-v1.zip"; filename*=UTF-8''${'x'.repeat(79)}%F0%9D%90%81%20%28version%201%29.zip`,
  );
  await dataSource.query('DELETE FROM download_link WHERE nit = $1', [noticeKey]);
  await dataSource.query('DELETE FROM document_package WHERE nit = $1', [noticeKey]);
});

describe('an interrupted download', () => {
  test('continues where it stopped, also an hour later', async () => {
    const { path } = await buy();
    const ticket = await ticketOf(path);
    const fullResponse = await get(ticket);
    const etag = String(fullResponse.headers.etag);
    app.clock.now = new Date(NOW.getTime() + HOUR_MS);
    const rest = await get(ticket, { range: 'bytes=1000-', 'if-range': etag });
    expect(rest.statusCode).toBe(206);
    expect(rest.headers['content-range']).toBe(
      `bytes 1000-${fullResponse.rawPayload.length - 1}/${fullResponse.rawPayload.length}`,
    );
    expect(rest.rawPayload.equals(fullResponse.rawPayload.subarray(1_000))).toBe(true);
    expect(rest.headers['content-length']).toBe(String(rest.rawPayload.length));
    expect(await fetches(path)).toBe(1);
  });

  test('continues for a day and a minute after its ticket was made, and not longer', async () => {
    const { path } = await buy();
    const ticket = await ticketOf(path);
    const etag = String((await get(ticket)).headers.etag);
    const rest = (ms: number) => {
      app.clock.now = new Date(NOW.getTime() + MINUTE_MS + 24 * HOUR_MS + ms);
      return get(ticket, { range: 'bytes=1000-', 'if-range': etag });
    };
    expect((await rest(0)).statusCode).toBe(206);
    expect((await rest(1)).statusCode).toBe(404);
  });

  test.each([
    ['from the beginning', {}],
    ['without naming the file that was begun', { range: 'bytes=1000-' }],
    ['with the mark of another file', { range: 'bytes=1000-', 'if-range': `"${'0'.repeat(64)}"` }],
    ['at its first byte', { range: 'bytes=0-', 'if-range': 'the right one' }],
  ])('does not restart after a minute: %s', async (_how, headers: Record<string, string>) => {
    const { path } = await buy();
    const ticket = await ticketOf(path);
    const etag = String((await get(ticket)).headers.etag);
    if (headers['if-range'] === 'the right one') headers['if-range'] = etag;
    app.clock.now = new Date(NOW.getTime() + MINUTE_MS);
    expect((await get(ticket, headers)).statusCode).toBeLessThan(300);
    app.clock.now = new Date(NOW.getTime() + MINUTE_MS + 1);
    expect((await get(ticket, headers)).statusCode).toBe(404);
    expect((await app.app.inject({ method: 'HEAD', url: ticket, headers })).statusCode).toBe(404);
  });

  test.each<[string, number, string | undefined]>([
    ['bytes=0-99', 206, 'bytes 0-99/'],
    ['bytes=-100', 206, undefined],
    ['bytes=0-99999999', 206, 'bytes 0-'],
    ['bytes=99999999-', 416, 'bytes */'],
    ['bytes=-0', 416, 'bytes */'],
    ['bytes=9-3', 416, 'bytes */'],
    ['bytes=0-1,5-9', 200, undefined],
    ['lines=0-1', 200, undefined],
    ['bytes=-', 200, undefined],
  ])('%s returns %i', async (range, status, contentRange) => {
    const { path } = await buy();
    const ticket = await ticketOf(path);
    const reply = await get(ticket, { range });
    expect(reply.statusCode).toBe(status);
    if (contentRange) expect(reply.headers['content-range']).toContain(contentRange);
    expect(reply.headers['cache-control']).toBe('private, no-store');
    const whole = (await get(ticket)).rawPayload;
    if (status === 416) expect(reply.headers['content-range']).toBe(`bytes */${whole.length}`);
    else expect(reply.headers['content-length']).toBe(String(reply.rawPayload.length));
    if (status === 200) expect(reply.headers['content-range']).toBeUndefined();
    if (range === 'bytes=-100') expect(reply.rawPayload.equals(whole.subarray(-100))).toBe(true);
  });

  test('HEAD returns the headers only', async () => {
    const { path } = await buy();
    const ticket = await ticketOf(path);
    const found = await app.app.get(PackagesService).findNewest(nit);
    const reply = await app.app.inject({ method: 'HEAD', url: ticket });
    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject({ 'content-length': String(found?.bytes), etag: `"${found?.sha256}"` });
    expect(reply.rawPayload).toHaveLength(0);
    // A download that was interrupted is continued an hour later.
    app.clock.now = new Date(NOW.getTime() + HOUR_MS);
    const headers = { range: 'bytes=1000-', 'if-range': `"${found?.sha256}"` };
    expect((await app.app.inject({ method: 'HEAD', url: ticket, headers })).statusCode).toBe(200);
  });

  test('of a file that was lost says so', async () => {
    const { path } = await buy();
    const ticket = await ticketOf(path);
    const key = 'SELECT file_key FROM document_package WHERE nit = $1';
    const [{ file_key }] = await app.database.dataSource.query(key, [nit]);
    const setKey = (to: string) =>
      app.database.dataSource.query('UPDATE document_package SET file_key = $2 WHERE nit = $1', [nit, to]);
    await setKey('0'.repeat(32));
    const reply = await get(ticket);
    await setKey(file_key);
    expect([reply.statusCode, reply.json().message]).toEqual([404, 'The file is not there any more']);
  });
});

describe('a link ends', () => {
  const refused = async (path: string) => {
    const page = await get(path);
    expect(page.statusCode).toBe(404);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).toContain('This link has ended or does not exist');
    expect((await post(path)).statusCode).toBe(404);
  };

  test('after 7 days', async () => {
    const { path } = await buy();
    app.clock.now = new Date(NOW.getTime() + 7 * DAY_MS - 1);
    expect((await get(path)).statusCode).toBe(200);
    app.clock.now = new Date(NOW.getTime() + 7 * DAY_MS);
    await refused(path);
  });

  test('when a clock that was ahead is corrected, also with an open ticket', async () => {
    app.clock.now = new Date(NOW.getTime() + DAY_MS);
    const { path } = await buy();
    const ticket = await ticketOf(path);
    expect((await get(ticket)).statusCode).toBe(200);
    app.clock.now = NOW;
    await refused(path);
    expect((await get(ticket)).statusCode).toBe(404);
  });

  test('after 20 downloads, also of 40 at once', async () => {
    const { path } = await buy();
    const replies = await Promise.all(Array.from({ length: 40 }, () => post(path)));
    const accepted = replies.filter(({ statusCode }) => statusCode === 303);
    expect(accepted).toHaveLength(20);
    await refused(path);
    // The last download is delivered too.
    for (const { headers } of accepted) expect((await get(String(headers.location))).statusCode).toBe(200);
  });

  test('after a refund, also with an open ticket', async () => {
    const { path, entitlement } = await buy();
    const other = await buy();
    const ticket = await ticketOf(path);
    const { dataSource } = app.database;
    await dataSource.transaction((manager) => app.app.get(DocumentsService).revokeLinks(manager, entitlement, NOW));
    await refused(path);
    expect((await get(ticket)).statusCode).toBe(404);
    expect((await get(other.path)).statusCode).toBe(200);
  });

  test('with the entitlement, also with an open ticket', async () => {
    const { path, entitlement } = await buy();
    const ticket = await ticketOf(path);
    await app.database.dataSource.query('UPDATE entitlement SET revoked_at = $2 WHERE id = $1', [entitlement.id, NOW]);
    await refused(path);
    expect((await get(ticket)).statusCode).toBe(404);
  });

  test('and its ticket when only the ticket was made by a clock that was ahead', async () => {
    const { path } = await buy();
    app.clock.now = new Date(NOW.getTime() + 6_000);
    const ticket = await ticketOf(path);
    expect((await get(ticket)).statusCode).toBe(200);
    app.clock.now = new Date(NOW.getTime() + 1_000);
    expect((await get(ticket)).statusCode).toBe(200);
    app.clock.now = NOW;
    expect((await get(ticket)).statusCode).toBe(404);
  });

  test('after a test purchase where the provider is live, also with an open ticket', async () => {
    const owner = await createSession(app);
    const { path, order, entitlement } = await buy({ userId: owner.user._id });
    const guest = await buy();
    const ticket = await ticketOf(path);
    const env = { FILES_URL: `file://${folder}`, PAYMENT_PROVIDER: 'phonepe', PHONEPE_ENV: 'production' };
    const live = await startApp({ now: NOW, database: app.database, env });
    const markDemonstration = (isDemonstration: boolean) =>
      app.database.dataSource.query('UPDATE document_package SET is_demonstration = $1 WHERE nit = $2', [
        isDemonstration,
        nit,
      ]);
    try {
      expect((await live.get(path)).status).toBe(404);
      expect((await live.app.inject({ method: 'POST', url: path })).statusCode).toBe(404);
      expect((await live.get(ticket)).status).toBe(404);
      expect((await live.get('/api/documents', owner.headers)).json).toEqual({ packages: [] });
      // Nor is a package of a demonstration offered there.
      const offer = (await live.get(`/api/tenders/${tenderId}/documents`, owner.headers)).json;
      expect(offer).toMatchObject({ isOwned: false, isReady: false, files: [], bytes: null, isDemonstration: true });
      expect(await live.app.get(DocumentsService).isReady(nit, tenderId)).toBe(false);
      for (const { publicId } of [order, guest.order]) {
        const call = { method: 'POST', url: `/api/orders/${publicId}/documents`, headers: owner.headers } as const;
        expect((await live.app.inject(call)).statusCode).toBe(404);
        expect((await app.app.inject(call)).statusCode).toBe(201);
      }
      // Nor is a link mailed again, also when its package is of a real notice by then.
      await markDemonstration(false);
      const mails = (await readSentMails(app)).length;
      const resend = { method: 'POST', url: `/api/orders/${order.publicId}/resend` } as const;
      expect((await live.app.inject(resend)).statusCode).toBe(202);
      const { dataSource } = app.database;
      const again = dataSource.transaction((manager) =>
        live.app.get(DocumentsService).sendLink(manager, order, entitlement.id, 'again', NOW),
      );
      expect(await again).toBe(false);
      expect(await readSentMails(app)).toHaveLength(mails);
    } finally {
      await markDemonstration(true);
      await live.close();
    }
    expect((await get(path)).statusCode).toBe(200);
  });

  test.each(['/d/x', `/d/${'A'.repeat(43)}`, `/d/${'%2e'.repeat(14)}A`, `/d/${'A'.repeat(44)}`])(
    'when it never was one: %s',
    refused,
  );
});

test('a ticket with one changed character is rejected', async () => {
  const { path } = await buy();
  const ticket = (await ticketOf(path)).slice('/api/files/'.length);
  for (const at of [0, 20, 44, 48, 60, ticket.length - 2]) {
    const altered = `${ticket.slice(0, at)}${ticket[at] === 'b' ? 'c' : 'b'}${ticket.slice(at + 1)}`;
    expect((await get(`/api/files/${altered}`)).statusCode).toBe(404);
  }
  expect((await get(`/api/files/${ticket}`)).statusCode).toBe(200);
});

test('a link that a server made whose clock is five seconds ahead works at once', async () => {
  app.clock.now = new Date(NOW.getTime() + 5_000);
  const { path } = await buy();
  app.clock.now = NOW;
  expect((await get(path)).statusCode).toBe(200);
  expect((await get(await ticketOf(path))).statusCode).toBe(200);
  app.clock.now = new Date(NOW.getTime() - 1);
  expect((await get(path)).statusCode).toBe(404);
});

test('a token is stored only as its digest', async () => {
  const { path } = await buy();
  const [{ all }] = await app.database.dataSource.query('SELECT json_agg(l)::text AS all FROM download_link l');
  expect(all).not.toContain(path.slice(3));
});

test.each(['text/plain', 'multipart/form-data; boundary=x'])('the button posts a form, not %s', async (type) => {
  const { path } = await buy();
  const reply = await app.app.inject({ method: 'POST', url: path, headers: { 'content-type': type }, payload: 'x' });
  expect(reply.statusCode).toBe(415);
});

test('other calls accept JSON only', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await app.app.inject({ method: 'POST', url: '/api/auth/login', headers, payload: 'mobileNo=1' });
  expect(reply.statusCode).toBe(415);
  expect(reply.json().message).toBe('Only JSON is accepted');
});

describe('requesting the mail again', () => {
  const resend = (id: string) => app.app.inject({ method: 'POST', url: `/api/orders/${id}/resend` });

  test('sends a new link to the address of the purchase only', async () => {
    const { order, path } = await buy();
    const before = (await readSentMails(app)).length;
    const reply = await resend(order.publicId);
    expect(reply.statusCode).toBe(202);
    expect(reply.json()).toEqual({
      message: 'If this order holds documents, a new link is on its way to the e-mail address it was bought with.',
    });
    const mails = await readSentMails(app);
    expect(mails).toHaveLength(before + 1);
    expect(mails.at(-1)?.to).toMatchObject([{ address: order.buyerEmail }]);
    const fresh = new URL(findLink(mails.at(-1) as never)).pathname;
    expect(fresh).not.toBe(path);
    expect((await get(fresh)).statusCode).toBe(200);
  });

  test('returns the same for an order that does not exist, is not paid, or was refunded', async () => {
    const { order } = await buy();
    const real = await resend(order.publicId);
    const unpaid = await buy({ status: 'REFUNDED' });
    const revoked = await buy();
    await app.database.dataSource.query('UPDATE entitlement SET revoked_at = $2 WHERE id = $1', [
      revoked.entitlement.id,
      NOW,
    ]);
    const before = (await readSentMails(app)).length;
    for (const id of ['A'.repeat(22), unpaid.order.publicId, revoked.order.publicId, 'x', '%00']) {
      const reply = await resend(id);
      expect([reply.statusCode, reply.body]).toEqual([real.statusCode, real.body]);
    }
    expect(await readSentMails(app)).toHaveLength(before);
  });

  test('is possible three times an hour, also for an unknown order', async () => {
    const { order } = await buy();
    for (const id of [order.publicId, 'B'.repeat(22)]) {
      for (let n = 0; n < 3; n++) expect((await resend(id)).statusCode).toBe(202);
      expect((await resend(id)).statusCode).toBe(429);
    }
    app.clock.now = new Date(NOW.getTime() + HOUR_MS);
    expect((await resend(order.publicId)).statusCode).toBe(202);
  });
});

test('an account creates links to its purchases and sees them', async () => {
  const owner = await createSession(app);
  const stranger = await createSession(app);
  const { order } = await buy({ userId: owner.user._id });
  const url = `/api/tenders/${tenderId}/documents`;
  expect((await app.get(url, owner.headers)).json).toMatchObject({
    isOwned: true,
    orderId: order.publicId,
    planDownloads: null,
  });
  expect((await app.get(url, stranger.headers)).json).toMatchObject({
    isOwned: false,
    orderId: null,
    planDownloads: null,
  });
  const link = await app.app.inject({ method: 'POST', url, headers: owner.headers });
  expect(link.statusCode).toBe(201);
  expect(link.headers['cache-control']).toBe('private, no-store');
  expect(link.json().expiresAt).toBe('2026-11-17T06:30:00.000Z');
  expect((await get(await ticketOf(new URL(link.json().url).pathname))).statusCode).toBe(200);
  const refused = await app.app.inject({ method: 'POST', url, headers: stranger.headers });
  expect([refused.statusCode, refused.json().message]).toEqual([403, 'You have no plan that includes downloads']);
  expect((await app.app.inject({ method: 'POST', url })).statusCode).toBe(401);
  const found = await app.app.get(PackagesService).findNewest(nit);
  expect((await app.get('/api/documents', owner.headers)).json.packages).toEqual([
    {
      ...{ nit, tenderId: String(tenderId), title: 'Hall <b>"A"</b>', by: 'purchase', orderId: order.publicId },
      ...{
        files: [...SUMMARY_NAMES, 'Works.xlsx', 'READ-ME.txt'],
        bytes: found?.bytes,
        sha256: found?.sha256,
      },
      ...{ version: 1, hasNewer: false, acquiredAt: '2026-11-10T06:30:00.000Z' },
    },
  ]);
  expect((await app.get('/api/documents', stranger.headers)).json).toEqual({ packages: [] });
  // No cache may give one account the response to another one.
  for (const path of [url, '/api/documents'])
    expect((await app.get(path, owner.headers)).headers['cache-control'], path).toBe('private, no-store');
  const { dataSource } = app.database;
  await dataSource.query(
    `INSERT INTO document_package (nit, version, file_key, sha256, bytes, file_names, fingerprint, is_demonstration, created_at)
     VALUES ('other', 1, 'x', 'x', 1, '{}', 'x', false, $1)`,
    [NOW],
  );
  const later = { userId: owner.user._id, nit: 'other', title: 'Weir', createdAt: new Date(NOW.getTime() + HOUR_MS) };
  const { entitlement } = await buyDocuments(dataSource, later);
  const titles = async () =>
    (await app.get('/api/documents', owner.headers)).json.packages.map(({ title }: { title: string }) => title);
  expect(await titles()).toEqual(['Weir', 'Hall <b>"A"</b>']);
  await dataSource.query('UPDATE entitlement SET revoked_at = $2 WHERE id = $1', [entitlement.id, NOW]);
  expect(await titles()).toEqual(['Hall <b>"A"</b>']);
});

test('documents that an account has bought twice are once in its library, as the newer purchase', async () => {
  const { user, headers } = await createSession(app);
  const createdAt = new Date(NOW.getTime() - HOUR_MS);
  const newer = await buy({ userId: user._id, createdAt: NOW });
  await buy({ userId: user._id, createdAt });
  expect((await app.get('/api/documents', headers)).json.packages).toMatchObject([
    { nit, orderId: newer.order.publicId, acquiredAt: '2026-11-10T06:30:00.000Z' },
  ]);
});

test('tickets of an earlier session key are accepted, those of a foreign key are not', () => {
  const [own, earlier] = ['key-of-the-tests-0123456789-abcdef', 'earlier-key-0123456789-abcdefghijkl'];
  const sha256 = 'ab'.repeat(32);
  const ticket = new DownloadTickets([earlier]).create(sha256, NOW);
  expect(new DownloadTickets([own, earlier]).read(ticket)).toEqual({
    linkSha256: sha256,
    madeAt: NOW,
    startsBefore: new Date(NOW.getTime() + MINUTE_MS),
    resumesBefore: new Date(NOW.getTime() + MINUTE_MS + DAY_MS),
  });
  expect(new DownloadTickets([own]).read(ticket)).toBeUndefined();
  // New tickets have the present key.
  expect(new DownloadTickets([own]).read(new DownloadTickets([own, earlier]).create(sha256, NOW))).toBeDefined();
  expect(() => new DownloadTickets([]).create(sha256, NOW)).toThrow('There is no session key');
});

test('unknown links are counted: an IPv6 network may try 30 a minute', async () => {
  const statuses: number[] = [];
  for (let nth = 1; nth <= 31; nth += 1) {
    const reply = await app.app.inject({ method: 'GET', url: `/d/${'Z'.repeat(43)}`, remoteAddress: '2001:db8:50::1' });
    statuses.push(reply.statusCode);
  }
  expect(statuses).toEqual([...Array(30).fill(404), 429]);
});

describe('the page of a paid order', () => {
  const link = async (id: string, headers: Record<string, string> = {}) => {
    const reply = await app.app.inject({ method: 'POST', url: `/api/orders/${id}/documents`, headers });
    return { status: reply.statusCode, json: reply.json() };
  };

  test('offers the documents by the order’s id to a buyer without an account', async () => {
    const { order } = await buy();
    const { status, json } = await link(order.publicId);
    expect(status).toBe(201);
    expect(json).toEqual({ url: expect.any(String), expiresAt: '2026-11-17T06:30:00.000Z' });
    expect((await get(new URL(json.url).pathname)).statusCode).toBe(200);
    for (const action of ['documents', 'resend']) {
      const reply = await app.app.inject({ method: 'POST', url: `/api/orders/${order.publicId}/${action}` });
      expect(reply.headers['cache-control'], action).toBe('private, no-store');
    }
  });

  test('offers the documents of an account’s order to that account only, with one response for every other reason', async () => {
    const owner = await createSession(app);
    const other = await createSession(app);
    const { order } = await buy({ userId: owner.user._id });
    const refused = { code: 'NOT_FOUND', message: expect.stringContaining('use the link in the mail') };
    for (const [id, headers] of [
      [order.publicId, {}],
      [order.publicId, other.headers],
      ['A'.repeat(22), {}],
      ['x', {}],
    ] as const)
      expect(await link(id, headers)).toMatchObject({ status: 404, json: refused });
    expect((await link(order.publicId, owner.headers)).status).toBe(201);
  });

  test('gives 30 links an hour', async () => {
    const { order } = await buy();
    const statuses: number[] = [];
    for (let nth = 1; nth <= 31; nth += 1) statuses.push((await link(order.publicId)).status);
    expect(statuses).toEqual([...Array(30).fill(201), 429]);
  });

  test('offers nothing after a refund', async () => {
    const { order, entitlement } = await buy();
    await app.database.dataSource.query('UPDATE entitlement SET revoked_at = $2 WHERE id = $1', [entitlement.id, NOW]);
    expect((await link(order.publicId)).status).toBe(404);
    const pending = await buy({ status: 'REFUND_PENDING' });
    expect((await link(pending.order.publicId)).status).toBe(404);
  });

  test('offers nothing before there is a package', async () => {
    const { order } = await buyDocuments(app.database.dataSource, { tenderId: 998, nit: 'tender-998' });
    const { status, json } = await link(order.publicId);
    expect([status, json.message]).toEqual([409, 'Documents are not available yet']);
  });
});
