/** Stored rows for generated requests: signed-in accounts and ids of their rows. */
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { PasswordsService } from '../../src/auth/passwords/passwords.service.ts';
import { SessionsService } from '../../src/auth/sessions/sessions.service.ts';
import { StaffEntity } from '../../src/auth/staff/staff.entity.ts';
import { UserEntity } from '../../src/auth/user.entity.ts';
import { FirmsService } from '../../src/firms/firms.service.ts';
import { Readiness } from '../../src/http/monitoring/readiness.ts';
import { buildPack } from '../../src/sync/build-pack.ts';
import { createAccountRow } from '../support/accounts.ts';
import { storeOrder } from '../support/paid-orders.ts';
import type { KnownValues } from './schema-values.ts';

const ACCOUNTS = 4;
const HOUR_MS = 3_600_000;
const PASSWORD = 'Footbridge-Over-Pabbar-7';

export interface GeneratedTarget {
  known: KnownValues;
  /** The current tokens of the accounts. */
  tokens(): readonly string[];
  /** Lets an hour pass, so limits end; signed-out users sign in again. */
  advanceHour(): Promise<void>;
}

/** Stores accounts on a server with at least one tender, and signs them in. */
export async function prepareTarget(app: NestFastifyApplication, clock: { now: Date }): Promise<GeneratedTarget> {
  app.get(Readiness).markReady();
  const dataSource = app.get(DataSource);
  const passwordHash = await app.get(PasswordsService).hash(PASSWORD);
  const users = Array.from({ length: ACCOUNTS }, () => createAccountRow({ passwordHash }));
  await dataSource.getRepository(UserEntity).save(users);
  const firms = await Promise.all(
    users.map(({ id }) => app.get(FirmsService).create(id, { name: 'Verma Builders', address: '', gstin: '' }, 'test')),
  );
  const order = await storeOrder(dataSource, { userId: users[0]?.id ?? null });
  const tenders: { id: number }[] = await dataSource.query('SELECT id FROM tender ORDER BY id LIMIT 5');
  const tenderIds = tenders.map(({ id }) => String(id));
  let tokens: string[] = [];
  const signIn = async () => {
    // A sign-in restores an account that was deleted.
    await dataSource.query('UPDATE account SET deleted_at = NULL');
    tokens = await Promise.all(users.map((user) => app.get(SessionsService).start(user, true, 'Chrome on Android')));
    // All are owners with an open desk, so that its calls are reached.
    const staff = users.map(({ id: userId }) => ({
      userId,
      role: 'owner' as const,
      grantedAt: clock.now,
      grantedBy: 'test',
    }));
    await dataSource.getRepository(StaffEntity).upsert(staff, ['userId']);
    await dataSource.query('UPDATE session SET passkey_at = $1, desk_used_at = NULL', [clock.now]);
  };
  await signIn();
  const scope = ['himachal-pradesh', 'india', 'kerala'];
  // Without a worker the answer is 503 until the test has built the pack.
  for (const each of scope) await buildPack(each, -1, { dataSource, now: clock.now });
  return {
    known: {
      'tenders.id': tenderIds,
      'orders.id': [order.publicId],
      firm: firms.map(({ id }) => id),
      member: users.map(({ id }) => id),
      'user-info.id': users.map(({ id }) => id),
      tenderId: tenderIds,
      documentId: tenderIds,
      id: [order.publicId, ...tenderIds],
      scope,
      state: ['Himachal Pradesh', 'Kerala', 'kerala', 'HP'],
      district: ['Shimla', 'Solan'],
      department: ['PWD', 'Jal Shakti'],
      q: ['footbridge', 'construction of "retaining wall"', 'foot', 'fotbridge'],
      provider: ['google', 'sandbox', 'phonepe'],
      name: ['Asha Verma', 'tenders-1.xml', 'pages.xml'],
      email: users.map(({ email }) => email).concat('new@builders.example'),
      mobileNo: users.map(({ mobileNo }) => mobileNo.slice(3)),
      password: [PASSWORD, 'Wrong-Password-1'],
      currentPassword: [PASSWORD],
      newPassword: ['Footbridge-Over-Giri-8'],
      companyName: ['Verma Builders'],
      redirectUrl: ['/payment-status', 'http://nivida.test/payment-status'],
      amount: ['99', '5899'],
    },
    tokens: () => tokens,
    async advanceHour() {
      clock.now = new Date(clock.now.getTime() + HOUR_MS);
      await signIn();
    },
  };
}
