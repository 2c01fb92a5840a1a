/** Members of staff with an open desk, stored without the sign-in calls. */
import { randomUUID } from 'node:crypto';
import type { StaffRole } from '@nivida/contract/desk/act';
import { DataSource } from 'typeorm';
import { SessionEntity } from '../../src/auth/sessions/session.entity.ts';
import { StaffEntity } from '../../src/auth/staff/staff.entity.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import type { TestApp } from '../support/start-app.ts';

/** Signs in a new account with a role. Its passkey was shown at `passkeyAt`; null: never. */
export async function createStaffSession(
  { app }: Pick<TestApp, 'app'>,
  role: StaffRole,
  passkeyAt: Date | null,
): Promise<SignedInAccount> {
  const account = await createSession({ app });
  const dataSource = app.get(DataSource);
  const userId = account.user._id;
  await dataSource.getRepository(StaffEntity).insert({ userId, role, grantedAt: new Date(0), grantedBy: 'test' });
  await showPasskey({ app }, account, passkeyAt);
  return account;
}

/** Sets when the account's passkey was shown in its sessions. */
export async function showPasskey(
  { app }: Pick<TestApp, 'app'>,
  account: SignedInAccount,
  at: Date | null,
): Promise<void> {
  await app
    .get(DataSource)
    .getRepository(SessionEntity)
    .update({ userId: account.user._id }, { passkeyAt: at, deskUsedAt: null });
}

/** The headers of an act: the session and a new idempotency key. */
export const actHeaders = ({ headers }: SignedInAccount, key: string = randomUUID()) => ({
  ...headers,
  'idempotency-key': key,
});
