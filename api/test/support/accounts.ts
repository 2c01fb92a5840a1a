/** Signed-in accounts, stored without the sign-in calls. */
import type { User } from '@nivida/contract/account/user';
import { DataSource } from 'typeorm';
import { SessionsService } from '../../src/auth/sessions/sessions.service.ts';
import { newAccountRow, UserEntity } from '../../src/auth/user.entity.ts';
import type { TestApp } from './start-app.ts';

/** The stored `token` and `user` of a device, and the header with the token. */
export interface SignedInAccount {
  token: string;
  user: User;
  headers: { authorization: string };
}

let accountCount = 0;

/** A contractor of Himachal Pradesh with a new mobile number and e-mail address; `changes` have precedence. */
export function createAccountRow(changes: Partial<UserEntity> = {}): UserEntity {
  accountCount += 1;
  return newAccountRow({
    username: 'Asha Verma',
    email: `asha${accountCount}@builders.example`,
    mobileNo: `+91${9_800_000_000 + accountCount}`,
    passwordHash: null,
    companyName: 'Verma Builders',
    companyType: 'private',
    state: 'Himachal Pradesh',
    districts: ['Shimla', 'Solan'],
    departments: ['PWD'],
    createdAt: new Date('2026-10-01T10:00:00+05:30'),
    ...changes,
  });
}

/** Stores an account and signs it in on `app` at its clock, for 12 hours or, remembered, for 30 days. */
export async function createSession(
  { app }: Pick<TestApp, 'app'>,
  { remembered = false, ...changes }: Partial<UserEntity> & { remembered?: boolean } = {},
): Promise<SignedInAccount> {
  const user = createAccountRow(changes);
  await app.get(DataSource).getRepository(UserEntity).save(user);
  const token = await app.get(SessionsService).start(user, remembered, 'Chrome on Android');
  const { id, username, email, mobileNo } = user;
  return { token, user: { _id: id, username, email, mobileNo }, headers: { authorization: `Bearer ${token}` } };
}
