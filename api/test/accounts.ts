/** Accounts that are signed in without a way to sign in. */
import { randomUUID } from 'node:crypto';
import type { User } from '@nivida/contract/user';
import { DataSource } from 'typeorm';
import { SessionsService } from '../src/auth/sessions.service.ts';
import { UserEntity } from '../src/users/user.entity.ts';
import type { TestApp } from './start-app.ts';

/** What a device keeps under `token` and `user`, and the header by which it shows the token. */
export interface SignedIn {
  token: string;
  user: User;
  headers: { authorization: string };
}

let made = 0;

/** A contractor of Himachal Pradesh with a mobile number and an address of his own; `changes` win. */
export function account(changes: Partial<UserEntity> = {}): UserEntity {
  made += 1;
  return {
    id: randomUUID(),
    username: 'Asha Verma',
    email: `asha${made}@builders.example`,
    mobileNo: `+91${9_800_000_000 + made}`,
    passwordHash: null,
    companyName: 'Verma Builders',
    companyType: 'private',
    state: 'Himachal Pradesh',
    districts: ['Shimla', 'Solan'],
    departments: ['PWD'],
    address: '',
    gstin: '',
    billingFirm: '',
    billingAddress: '',
    minPrice: '0.00',
    maxPrice: null,
    createdAt: new Date('2026-10-01T10:00:00+05:30'),
    deletedAt: null,
    ...changes,
  };
}

/** Stores an account and signs it in on `app`, at its clock; remembered, the session lasts 30 days instead of 12 hours. */
export async function signIn(
  { app }: Pick<TestApp, 'app'>,
  { remembered = false, ...changes }: Partial<UserEntity> & { remembered?: boolean } = {},
): Promise<SignedIn> {
  const user = account(changes);
  await app.get(DataSource).getRepository(UserEntity).save(user);
  const token = await app.get(SessionsService).start(user, remembered, 'Chrome on Android');
  const { id, username, email, mobileNo } = user;
  return { token, user: { _id: id, username, email, mobileNo }, headers: { authorization: `Bearer ${token}` } };
}
