/** Members of the staff with a passkey, and what their acts leave in the audit log. */
import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { serverEnvironment } from '../support/run-job.ts';
import { makeSession, type StoredSession, withServerDatabase } from '../support/session.ts';
import { test as base, recordErrors, skipTour } from '../support/test.ts';

const LAPTOP = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 640 };

type Role = 'support' | 'operator' | 'owner';

/** A member of staff. */
export interface Member extends StoredSession {
  /** Shown in audit rows and to colleagues. */
  name: string;
  /** The passkey on the member's device, as the virtual authenticator takes it. */
  credential: { credentialId: string; privateKey: string; userHandle: string };
}

/** The journeys' test on a laptop. `colleague` opens the desk of another member in a browser of its own. */
export const deskTest = base.extend<{ colleague: (member: Member, path: string) => Promise<Page> }>({
  viewport: LAPTOP,
  isMobile: false,
  hasTouch: false,
  colleague: async ({ browser, expectedErrors }, use) => {
    const contexts: Awaited<ReturnType<typeof browser.newContext>>[] = [];
    const errors: string[][] = [];
    await use(async (member, path) => {
      const context = await browser.newContext({ viewport: LAPTOP });
      await skipTour(context);
      contexts.push(context);
      errors.push(recordErrors(context, expectedErrors));
      const page = await context.newPage();
      await openDesk(page, member, path);
      return page;
    });
    for (const context of contexts) await context.close();
    base.expect(errors.flat(), "errors on the console of a colleague's browser").toEqual([]);
  },
});

/**
 * Stores a member of staff with a passkey, which was shown `minutesAgo`: the desk is open. After five minutes acts that
 * need a fresh passkey ask for it again, after 30 the desk does.
 */
export async function makeMember(role: Role, name = 'Meena Rawat', minutesAgo = 0): Promise<Member> {
  const session = await makeSession();
  const id = session.user._id;
  session.user.username = name;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(16);
  const at = new Date(Date.now() - minutesAgo * 60_000);
  await withServerDatabase(async (client) => {
    await client.query('UPDATE account SET username = $2 WHERE id = $1', [id, name]);
    await client.query("INSERT INTO staff VALUES ($1, $2, $3, 'root')", [id, role, at]);
    await client.query('UPDATE session SET passkey_at = $2, desk_used_at = $2 WHERE user_id = $1', [id, at]);
    await client.query(
      `INSERT INTO passkey (id, user_id, credential_id, public_key, counter, transports, device_type, backed_up, aaguid, name, created_at)
       VALUES ($1, $2, $3, $4, 0, '{internal}', 'singleDevice', false, '00000000-0000-0000-0000-000000000000', 'Laptop', $5)`,
      [randomUUID(), id, credentialId.toString('base64url'), coseKey(x, y), at],
    );
  });
  return {
    ...session,
    name,
    credential: {
      credentialId: credentialId.toString('base64'),
      privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      userHandle: Buffer.from(id).toString('base64'),
    },
  };
}

/** A key of ES256 as authenticators send it: a CBOR map of kty, alg, crv, x and y. `x` and `y` are base64url. */
const coseKey = (x: string, y: string): Buffer =>
  Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);

/** Opens a page of the desk as a member whose device has the passkey. */
export async function openDesk(page: Page, { token, user, credential }: Member, path: string): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await cdp.send('WebAuthn.addCredential', {
    authenticatorId,
    credential: { ...credential, isResidentCredential: true, rpId: 'localhost', signCount: 1 },
  });
  await page.addInitScript(
    ([text, json]) => {
      // A sign-out must last.
      if (sessionStorage.getItem('was-signed-in')) return;
      sessionStorage.setItem('was-signed-in', 'yes');
      localStorage.setItem('token', text);
      localStorage.setItem('user', json);
    },
    [token, JSON.stringify(user)] as const,
  );
  await page.goto(path);
}

/** The screen of a phone, 360 by 640. */
export const showOnPhone = (page: Page): Promise<void> => page.setViewportSize(PHONE);

/** Checks that nothing is wider than the screen. */
export async function expectNoSideways(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  base.expect(width, 'width of the page').toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

/** Presses the button of an act, gives the reason and does it. */
export async function act(page: Page, label: string, reason: string): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).click();
  await confirmAct(page, label, reason);
}

/** Gives the reason in the open dialog of an act and does it. */
export async function confirmAct(page: Page, label: string, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill(reason);
  await dialog.getByRole('button', { name: label, exact: true }).click();
}

export interface AuditRow {
  action: string;
  /** The account that acted; null for a job, a visitor or a command. */
  actor: string | null;
  reason: string;
  detail: Record<string, unknown>;
}

/** The audit rows of an object, oldest first. */
export async function auditRows(subject: string): Promise<AuditRow[]> {
  let rows: AuditRow[] = [];
  await withServerDatabase(async (client) => {
    const found = await client.query<AuditRow>(
      `SELECT action, actor_id AS actor, coalesce(detail->>'reason', '') AS reason, detail
       FROM audit WHERE subject = $1 ORDER BY id`,
      [subject],
    );
    rows = found.rows;
  });
  return rows;
}

const run = promisify(execFile);

/** Runs one of the operator's commands on the server. Returns what it wrote to stdout. */
export async function serverCommand(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['api/dist/cli.js', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    env: serverEnvironment(),
  });
  return stdout;
}
