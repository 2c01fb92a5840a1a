/** Firms with members and a plan. */
import { type APIRequestContext, expect } from '@playwright/test';
import { mailText } from '../support/mailbox.ts';
import { noteSecrets } from '../support/secrets.ts';
import { type StoredSession, withServerDatabase } from '../support/session.ts';

const headersOf = ({ token }: StoredSession) => ({ authorization: `Bearer ${token}` });

/** Renames the account on the server and in its session. */
export const nameAccount = ({ user }: StoredSession, name: string): Promise<void> => {
  user.username = name;
  return withServerDatabase((client) =>
    client.query('UPDATE account SET username = $2 WHERE id = $1', [user._id, name]),
  );
};

/** Stores a firm of the owner with these members. Returns its id. */
export async function foundFirm(
  request: APIRequestContext,
  owner: StoredSession,
  members: readonly StoredSession[],
  name: string,
): Promise<string> {
  const data = { name, address: '2 The Mall, Shimla 171001', gstin: '02AAACB1234C1ZR' };
  const answer = await request.post('/api/firms', { headers: headersOf(owner), data });
  expect(answer.status()).toBe(200);
  const { id } = (await answer.json()) as { id: string };
  await withServerDatabase(async (client) => {
    for (const { user } of members)
      await client.query(
        `INSERT INTO firm_member (firm_id, user_id, role, joined_at) VALUES ($1, $2, 'member', now())`,
        [id, user._id],
      );
  });
  return id;
}

/** Gives the firm a plan of a year from now. */
export const giveFirmPlan = (firm: string): Promise<void> =>
  withServerDatabase((client) =>
    client.query(
      `INSERT INTO entitlement (kind, firm_id, email, plan_id, states, starts_at, ends_at, is_test, is_gift, created_at)
       VALUES ('plan', $1, '', 'enterprise', '{}', now(), now() + interval '1 year', true, true, now())`,
      [firm],
    ),
  );

/** Invites an address as the owner. Returns the id of the invitation. */
export async function sendInvitation(
  request: APIRequestContext,
  owner: StoredSession,
  firm: string,
  email: string,
): Promise<string> {
  const data = { email, role: 'member' };
  const answer = await request.post(`/api/firms/${firm}/invitations`, { headers: headersOf(owner), data });
  expect(answer.status()).toBe(200);
  const { invitations } = (await answer.json()) as { invitations: { id: string; email: string }[] };
  return invitations.find((invitation) => invitation.email === email)?.id ?? '';
}

/** Withdraws an invitation as the owner. */
export async function endInvitation(request: APIRequestContext, owner: StoredSession, firm: string, id: string) {
  const answer = await request.delete(`/api/firms/${firm}/invitations/${id}`, { headers: headersOf(owner) });
  expect(answer.status()).toBe(200);
}

/** The link of the mailed invitation, from its path on. */
export async function mailedInvitation(email: string, subject: string): Promise<string> {
  const [link = ''] = (await mailText(email, subject)).match(/^http\S+#token=\S+$/m) ?? [];
  const { pathname, hash } = new URL(link);
  noteSecrets(hash.replace('#token=', ''));
  return pathname + hash;
}
