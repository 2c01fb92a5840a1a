import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { SUPERVISION, startWorker } from '../../src/app/worker.ts';
import { createLog } from '../../src/base/log.ts';
import { deriveVapidKeys } from '../../src/base/vapid-keys.ts';
import { MailService } from '../../src/mail/mail.service.ts';
import type { Mail } from '../../src/mail/mail.ts';
import { createMailSender, type MailJob } from '../../src/mail/mail-delivery.ts';
import { MailRejectedError, toSmtpMessage } from '../../src/mail/mail-transport.port.ts';
import { createSmtpTransport, withoutMessageContent } from '../../src/mail/smtp-transport.ts';
import { toPgOptions } from '../../src/schema/data-source.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { startProgram } from '../support/programs.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { findCode, findLastMail, findLink, readSentMails, runMailJobs } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const CODE: Mail = { kind: 'email-code', language: 'en', to: 'asha@firm.example', code: '402917' };
const LINK = `https://nivida.example/reset-password#token=${'t'.repeat(43)}`;

let app: TestApp;
let server: MailServer;
let log: string[];

beforeAll(async () => {
  server = await startMailServer();
  log = [];
  app = await startApp({
    now: NOW,
    log: createLog({ production: false, role: 'worker', logLevel: 'warn' }, { write: (line) => void log.push(line) }),
    env: {
      MAIL_URL: server.url,
      MAIL_FROM: 'Nivida <no-reply@nivida.example>',
      PUBLIC_ORIGIN: 'https://nivida.example',
      SUPPORT_EMAIL: 'help@nivida.example',
    },
  });
});
afterAll(async () => {
  await app.close();
  await server.close();
});
beforeEach(() => {
  app.clock.now = NOW;
  log.length = 0;
});
afterEach(() => {
  server.received.length = 0;
  expect(server.replies.splice(0)).toEqual([]);
});

const queue = (mail: Mail) =>
  app.database.dataSource.transaction((manager) => app.app.get(MailService).queue(manager, mail));
const sendNow = () =>
  runMailJobs(
    app,
    createMailSender(app.config, () => app.clock.now),
  );
const waitingJobs = () => app.database.dataSource.query("SELECT * FROM pgboss.job WHERE name = 'mail'");

test('a mail arrives once, with its headers, and no job remains', async () => {
  await queue(CODE);
  await sendNow();
  await sendNow();
  expect(server.received).toHaveLength(1);
  const [mail] = server.received;
  expect(mail).toMatchObject({
    from: { name: 'Nivida', address: 'no-reply@nivida.example' },
    to: [{ name: '', address: 'asha@firm.example' }],
    subject: 'Your code for Nivida',
    date: '2026-11-10T06:00:00.000Z',
  });
  expect(mail?.messageId).toMatch(/^<[\da-f-]{36}@nivida\.example>$/);
  expect(mail?.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
  expect(mail?.text).toContain('\n402917\n');
  expect(mail?.text).toContain('Nivida is not a government site.');
  expect(mail?.html).toContain('402917');
  expect(await waitingJobs()).toEqual([]);
});

test('a mail of a transaction that does not commit is never sent', async () => {
  await expect(
    app.database.dataSource.transaction(async (manager) => {
      await app.app.get(MailService).queue(manager, CODE);
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  await sendNow();
  expect(server.received).toEqual([]);
});

test('the database contains neither address nor content of a waiting mail', async () => {
  await queue({ kind: 'password-reset', language: 'en', to: 'asha@firm.example', username: 'Asha', link: LINK });
  const rows = JSON.stringify(await waitingJobs());
  expect(rows).toContain('password-reset');
  for (const secret of ['asha', 'Asha', 'firm.example', 'reset-password#', 't'.repeat(43)])
    expect(rows).not.toContain(secret);
  await sendNow();
  expect(findLink(server.received[0] as never)).toBe(LINK);
});

test('a server on another machine without TLS gets mails only where the operator allows it', async () => {
  // Connects to this machine, but is no loopback address.
  const url = server.url.replace('127.0.0.1', '0.0.0.0');
  const deliver = (isTlsOptional: boolean, address = url) =>
    createSmtpTransport({ url: address, isTlsOptional }, 1).deliver({
      from: 'no-reply@nivida.example',
      to: 'asha@firm.example',
      subject: 'Hello',
      text: 'Hello',
    } as never);
  await expect(deliver(false)).rejects.toThrow(/^SMTP (?:ETLS|\d+) STARTTLS$/);
  await expect(deliver(true, url.replace('//', '//user:password@'))).rejects.toThrow('STARTTLS');
  expect(server.received).toEqual([]);
  await deliver(true);
  await deliver(false, server.url);
  expect(server.received).toHaveLength(2);
});

describe('a server that refuses the mail', () => {
  test.each([
    [{ responseCode: 500, command: 'DATA' }, true],
    [{ responseCode: 499, command: 'DATA' }, false],
    [{ responseCode: 550, command: 'RCPT TO' }, true],
    // The operator can correct sender and password.
    [{ responseCode: 550, command: 'MAIL FROM' }, false],
    [{ responseCode: 535, command: 'AUTH PLAIN' }, false],
    [{ code: 'ECONNREFUSED' }, false],
  ])('with %j ends the attempts: %s', (error, isFinal) => {
    expect(withoutMessageContent(error) instanceof MailRejectedError).toBe(isFinal);
  });

  test('gets it again after a temporary refusal', async () => {
    server.replies.push(451, 451);
    await queue(CODE);
    await sendNow();
    expect(server.received).toEqual([]);
    const [job] = await waitingJobs();
    expect(job).toMatchObject({ state: 'retry', retry_limit: 14 });
    expect(job.start_after.getTime()).toBeGreaterThan(Date.now());
    expect(JSON.stringify(job.output)).toContain('SMTP 451 RCPT TO');
    expect(JSON.stringify(job)).not.toContain('asha@');
    await sendNow();
    await sendNow();
    await sendNow();
    expect(server.received).toHaveLength(1);
    expect(await waitingJobs()).toEqual([]);
  });

  test('gets it again when it could not be reached', async () => {
    const deliver = createMailSender({ ...app.config, mailUrl: 'smtp://127.0.0.1:1' }, () => app.clock.now);
    await queue(CODE);
    await runMailJobs(app, deliver);
    expect(await waitingJobs()).toHaveLength(1);
    await sendNow();
    expect(server.received).toHaveLength(1);
  });

  test('does not get it after the last attempt, which is logged', async () => {
    const deliver = createMailSender({ ...app.config, mailUrl: 'smtp://127.0.0.1:1' }, () => app.clock.now);
    await queue(CODE);
    await app.database.dataSource.query("UPDATE pgboss.job SET retry_count = 14 WHERE name = 'mail'");
    await runMailJobs(app, deliver);
    expect(await waitingJobs()).toEqual([]);
    expect(log.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'error',
        msg: expect.stringMatching(/^Mail [\da-f-]{36} \(email-code\) was not sent: .+, and no attempt is left$/),
      }),
    ]);
  });

  test('does not get it again after a permanent refusal, which is logged without address and content', async () => {
    server.replies.push(550);
    await queue(CODE);
    await sendNow();
    await sendNow();
    expect(server.received).toEqual([]);
    expect(await waitingJobs()).toEqual([]);
    expect(log.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'error',
        context: 'Mail',
        msg: expect.stringMatching(/^Mail [\da-f-]{36} \(email-code\) was not sent: SMTP 550 RCPT TO$/),
      }),
    ]);
    expect(log.join('')).not.toMatch(/asha|firm\.example|402917/);
  });
});

test('an expired code is not sent', async () => {
  await queue(CODE);
  app.clock.now = new Date(NOW.getTime() + 10 * 60_000);
  await sendNow();
  expect(server.received).toHaveLength(1);
  app.clock.now = NOW;
  await queue(CODE);
  app.clock.now = new Date(NOW.getTime() + 10 * 60_000 + 1);
  await sendNow();
  expect(server.received).toHaveLength(1);
  expect(await waitingJobs()).toEqual([]);
});

test('a mail that waits during a key rotation is sent; without its key it is not sent', async () => {
  const [key] = app.config.sessionKeys as [string];
  const next = 'next-key-of-the-tests-0123456789-abc';
  await queue(CODE);
  await runMailJobs(
    app,
    createMailSender({ ...app.config, sessionKeys: [next, key] }, () => NOW),
  );
  expect(server.received).toHaveLength(1);
  await queue(CODE);
  await runMailJobs(
    app,
    createMailSender({ ...app.config, sessionKeys: [next] }, () => NOW),
  );
  expect(server.received).toHaveLength(1);
  expect(await waitingJobs()).toEqual([]);
});

test('two workers send each mail once', async () => {
  const addresses = Array.from({ length: 12 }, (_, index) => `person${index}@firm.example`);
  const workers = await Promise.all([startWorker(partsOf(app)), startWorker(partsOf(app))]);
  try {
    await Promise.all(addresses.map((to) => queue({ ...CODE, to })));
    await expect.poll(waitingJobs, { timeout: 20_000 }).toEqual([]);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  expect(server.received.map(({ to }) => to?.[0]?.address).sort()).toEqual(addresses.sort());
});

describe('a mail of a killed worker', () => {
  const boss = async (work: (boss: PgBoss) => Promise<unknown>) => {
    const instance = new PgBoss({ ...toPgOptions(app.database.address), max: 1, schedule: false, ...SUPERVISION });
    await instance.start();
    await work(instance).finally(() => instance.stop({ graceful: false }));
  };

  test('is taken up within a minute and handed over once more, with the same Message-ID', async () => {
    await queue(CODE);
    // The worker dies after the mail server has accepted the mail.
    await boss(async (dead) => {
      const [job] = await dead.fetch<MailJob['data']>('mail', { includeMetadata: true });
      await createMailSender(app.config, () => NOW)(job as MailJob);
    });
    const silent = (seconds: number) =>
      app.database.dataSource.query(
        "UPDATE pgboss.job SET heartbeat_on = now() - $1 * interval '1 second' WHERE name = 'mail'",
        [seconds],
      );
    const { superviseIntervalSeconds, monitorIntervalSeconds } = SUPERVISION;
    const heartbeat = 15;
    const look = async () => {
      await app.database.dataSource.query(
        "UPDATE pgboss.queue SET monitor_claim_on = NULL, monitor_on = NULL WHERE name = 'mail'",
      );
      await boss((supervisor) => supervisor.supervise('mail'));
    };
    await silent(heartbeat - 1);
    await look();
    expect(await waitingJobs()).toMatchObject([{ state: 'active' }]);
    await silent(heartbeat + 1);
    await look();
    const [job] = await waitingJobs();
    expect(job.state).toBe('retry');
    const delay = (job.start_after.getTime() - Date.now()) / 1_000;
    expect(heartbeat + superviseIntervalSeconds + monitorIntervalSeconds + delay).toBeLessThanOrEqual(60);
    await sendNow();
    await sendNow();
    expect(await waitingJobs()).toEqual([]);
    expect(server.received).toHaveLength(2);
    expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(1);
  });

  test('is sent by another one within a minute', { tags: 'release', timeout: 90_000 }, async () => {
    const { host, port, user } = inject('postgres');
    const { database } = app.database.address as { database: string };
    const vapid = deriveVapidKeys('a worker');
    const folder = await mkdtemp(join(tmpdir(), 'nivida-killed-'));
    // The program has a clock of its own.
    app.clock.now = new Date();
    await queue(CODE);
    const accepted = server.stall();
    const killed = startProgram('main.js', [], {
      ROLE: 'worker',
      DATABASE_URL: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
      DATA_DIR: folder,
      MAIL_URL: server.url,
      SESSION_KEYS: app.config.sessionKeys.join(','),
      OTP_PEPPER: app.config.otpPepper,
      VAPID_PUBLIC_KEY: vapid.publicKey,
      VAPID_PRIVATE_KEY: vapid.privateKey,
    });
    const early = killed.ended.then(({ stderr }) => Promise.reject(new Error(stderr)));
    early.catch(() => {});
    await Promise.race([accepted, early]);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const worker = await startWorker(partsOf(app));
    await expect.poll(() => server.received.length, { timeout: 60_000, interval: 500 }).toBe(2);
    await worker.stop();
    // The two have different settings, and with them different names behind the @.
    expect(new Set(server.received.map(({ messageId }) => messageId?.split('@')[0])).size).toBe(1);
    await rm(folder, { recursive: true });
  });
});

function partsOf({ app, config, database, clock }: TestApp) {
  return { config, database, now: () => clock.now, services: app };
}

const reminder = (reader: number): Mail => ({
  kind: 'closing-reminder',
  to: `reader${reader}@firm.example`,
  title: 'Closes tomorrow',
  lines: [],
  language: 'en',
  link: 'https://nivida.example/notices',
  stopLink: 'https://nivida.example/stop',
});
const receivers = () => server.received.map(({ to }) => to?.[0]?.address);

const PAID: Mail = {
  kind: 'order-paid',
  language: 'en',
  to: 'buyer@firm.example',
  orderId: 'NV-1',
  title: 'Culvert at Theog',
  amountPaise: 29_900,
  receiptNumber: 'R-1',
  link: 'https://nivida.example/orders/NV-1',
  isTest: false,
};

test('a code and then the mail about a payment are sent before the reminders of an evening', async () => {
  for (let reader = 0; reader < 30; reader += 1) await queue(reminder(reader));
  await queue(PAID);
  await queue(CODE);
  const parts = partsOf(app);
  const worker = await startWorker({ ...parts, config: { ...parts.config, mailConnections: 1 } });
  await expect.poll(waitingJobs, { timeout: 20_000 }).toEqual([]);
  await worker.stop();
  expect(receivers()).toHaveLength(32);
  expect(receivers().slice(0, 2)).toEqual([CODE.to, PAID.to]);
});

test('mails are sent over as many connections as the setting allows, each used for several', async () => {
  const count = vi.fn();
  server.onConnection(count);
  for (let reader = 0; reader < 40; reader += 1) await queue(reminder(reader));
  const parts = partsOf(app);
  const worker = await startWorker({ ...parts, config: { ...parts.config, mailConnections: 3 } });
  await expect.poll(waitingJobs, { timeout: 20_000 }).toEqual([]);
  await worker.stop();
  expect(new Set(receivers()).size).toBe(40);
  expect(count.mock.calls.length).toBeGreaterThan(1);
  expect(count.mock.calls.length).toBeLessThanOrEqual(3);
});

test('an address gets its code and the mail about its account with the same priority', async () => {
  await queue(CODE);
  await queue({ kind: 'already-registered', language: 'en', to: CODE.to });
  await queue({ kind: 'password-changed', language: 'en', to: CODE.to, username: 'Asha' });
  const priorities = (await waitingJobs()).map(
    ({ data, priority }: { data: { kind: string }; priority: number }) => [data.kind, priority] as const,
  );
  expect(Object.fromEntries(priorities)).toEqual({ 'email-code': 2, 'already-registered': 2, 'password-changed': 1 });
  await sendNow();
});

test('a temporarily refused mail does not delay the others', async () => {
  for (let reader = 0; reader < 5; reader += 1) await queue(reminder(reader));
  server.replies.push(451);
  const worker = await startWorker(partsOf(app));
  await expect.poll(receivers, { timeout: 20_000 }).toHaveLength(4);
  await worker.stop();
  expect(await waitingJobs()).toMatchObject([{ state: 'retry', retry_count: 0 }]);
  await sendNow();
  expect(new Set(receivers()).size).toBe(5);
});

test('a subject in any script arrives as it was written', async () => {
  const letter = { subject: 'आपका कोड – ₹99', text: 'नमस्ते', html: '<p>नमस्ते</p>' };
  await createSmtpTransport({ url: server.url, isTlsOptional: false }, 1).deliver(
    toSmtpMessage(letter, 'asha@firm.example', 'id', NOW, app.config),
  );
  expect(server.received[0]).toMatchObject({ subject: 'आपका कोड – ₹99', text: expect.stringContaining('नमस्ते') });
});

describe('a name', () => {
  test('arrives unchanged in any script', async () => {
    await queue({ kind: 'password-changed', language: 'en', to: 'asha@firm.example', username: 'आशा "बिल्डर्स" & Søn' });
    await sendNow();
    expect(server.received[0]?.text).toContain('Hello आशा "बिल्डर्स" & Søn,');
    expect(server.received[0]?.html).toContain('आशा &quot;बिल्डर्स&quot; &amp; Søn');
  });

  test('is text in the HTML, never markup', async () => {
    await queue({
      kind: 'email-changed',
      language: 'en',
      to: 'asha@firm.example',
      username: '<img src=https://evil.example/x onerror=alert(1)>',
      newEmail: "'><script>x</script>@firm.example",
    });
    await sendNow();
    const html = server.received[0]?.html ?? '';
    expect(html).not.toMatch(/<(?:img|script)/i);
    expect(html).toContain('&lt;img src=https://evil.example/x onerror=alert(1)&gt;');
    await queue({
      kind: 'contact',
      to: 'help@nivida.example',
      replyTo: CODE.to,
      name: 'Asha Verma',
      email: CODE.to,
      phone: '',
      company: '',
      subject: '</title><script>x</script>',
      message: 'A question',
      files: 0,
      link: 'https://nivida.example/desk/messages/7',
    });
    await sendNow();
    expect(server.received[1]?.html).toContain('<title>Message: &lt;/title&gt;&lt;script&gt;x&lt;/script&gt;</title>');
  });

  test('adds no header and no recipient', async () => {
    await queue({
      kind: 'account-restored',
      language: 'en',
      to: 'asha@firm.example',
      username: 'A\r\nBcc: eve@evil.example\r\n\r\nx',
    });
    await sendNow();
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(server.received[0]?.to).toEqual([{ name: '', address: 'asha@firm.example' }]);
  });

  test.each([
    'asha@firm.example\r\nBcc: eve@evil.example',
    'asha@firm.example, eve@evil.example',
    'asha@firm.example;eve@evil.example',
    'Asha <asha@firm.example>',
    '"asha eve"@firm.example',
    'asha@firm.example\u0000',
    'asha',
    '',
  ])('%j is not accepted as an address', async (to) => {
    await expect(queue({ ...CODE, to })).rejects.toThrow('A mail needs one address to go to');
    expect(await waitingJobs()).toEqual([]);
  });
});

test('every mail has its subject, no remote content and the support address', async () => {
  const to = 'asha@firm.example';
  const username = 'Asha';
  const mails: [Mail, string, string][] = [
    [CODE, 'Your code for Nivida', 'It works for 10 minutes'],
    [
      { kind: 'already-registered', language: 'en', to },
      'You already have a Nivida account',
      'The address already has an account',
    ],
    [
      { kind: 'password-reset', language: 'en', to, username, link: LINK },
      'Choose a new password for Nivida',
      'It works once, within 30 minutes.',
    ],
    [
      { kind: 'password-changed', language: 'en', to, username },
      'Your Nivida password was changed',
      'choose a new password at once',
    ],
    [
      { kind: 'email-changed', language: 'en', to, username, newEmail: 'new@firm.example' },
      'The e-mail address of your Nivida account was changed',
      'now go to new@firm.example',
    ],
    [
      { kind: 'mobile-changed', language: 'en', to, username, lastDigits: '2345' },
      'The mobile number of your Nivida account was changed',
      'the mobile number that ends in 2345',
    ],
    [
      { kind: 'account-deleted', language: 'en', to, username, erasedOn: new Date('2026-11-17T20:00:00Z') },
      'Your Nivida account will be erased',
      'will be erased on 18 Nov 2026',
    ],
    [
      { kind: 'account-restored', language: 'en', to, username },
      'Your Nivida account is open again',
      'nothing will be erased',
    ],
  ];
  for (const [mail, subject, phrase] of mails) {
    server.received.length = 0;
    await queue(mail);
    await sendNow();
    const [got] = server.received;
    expect(got?.subject).toBe(subject);
    for (const text of [got?.text, got?.html]) {
      expect(text).toContain(phrase);
      expect(text).toContain('help@nivida.example');
      expect(text).toContain('Nivida is not a government site.');
    }
    expect(got?.html).not.toMatch(/<(?:img|link|style|script|iframe)|src=|url\(/i);
    expect(got?.attachments).toEqual([]);
  }
});

test('without a mail server the mails are files of the mailbox, the newest last', async () => {
  await queue(CODE);
  await queue({ ...CODE, to: 'other@firm.example', code: '000123' });
  await queue({ kind: 'password-reset', language: 'en', to: 'asha@firm.example', username: 'Asha', link: LINK });
  expect((await readSentMails(app)).map(({ subject }) => subject)).toEqual([
    'Your code for Nivida',
    'Your code for Nivida',
    'Choose a new password for Nivida',
  ]);
  expect(findCode(await findLastMail(app, 'other@firm.example'))).toBe('000123');
  expect(findLink(await findLastMail(app, 'asha@firm.example'))).toBe(LINK);
  expect(server.received).toEqual([]);
});
