// Over 200 lines: who may hold, move and see a subscription is one set of rules.
import { randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  DEFAULT_PREFERENCES,
  type EmailAlerts,
  type HeldSubscription,
  type NewSubscription,
  type PreferenceChange,
  type Preferences,
  type SubscriptionStart,
  type SubscriptionState,
} from '@nivida/contract/push';
import { endpointProblem } from '@nivida/contract/push-endpoint';
import { DataSource, type EntityManager, In, IsNull } from 'typeorm';
import { recordDeed } from '../audit/audit.service.ts';
import type { Config } from '../config.ts';
import { AppError } from '../http/app-error.ts';
import { digest } from '../http/digest.ts';
import { CLOCK, CONFIG } from '../http/tokens.ts';
import type { PushCaller } from './caller.guard.ts';
import { SubscriptionEntity } from './subscription.entity.ts';
import { isPoint, kidOf } from './vapid-keys.ts';

const MOST_DEVICES = 20;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const NOT_FOUND = 'Subscription not found';

/** Whose pushes these are, for the device to compare; an id would say more than it needs. */
export const rcptOf = (recipient: string): string => digest(`push recipient ${recipient}`).slice(0, 16);

/** The columns that a browser's subscription fills. */
type Address = Pick<SubscriptionEntity, 'endpoint' | 'endpointSha256' | 'host' | 'p256dh' | 'auth' | 'vapidKid'>;

/** Which devices are told, and how each of them wants it. */
@Injectable()
export class SubscriptionsService {
  private readonly logger = new Logger('Push');

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The key that browsers subscribe with now. */
  publicKey(): string {
    const [current] = this.config.vapidKeys;
    if (!current) throw new AppError('NOT_FOUND', 'Push is not set up');
    return current.publicKey;
  }

  /**
   * Keeps the subscription of a browser, for the user or for nobody. The same endpoint with the same keys is the same
   * browser, whoever is signed in there now; with other keys it is a CONFLICT. Of more than 20 of a user the one that
   * was reached longest ago goes.
   */
  async add({ user }: PushCaller, body: NewSubscription): Promise<SubscriptionStart> {
    const address = this.check(body);
    const secret = randomBytes(32).toString('base64url');
    const row = await this.dataSource.transaction(async (manager) => {
      const held = await this.heldAt(manager, address);
      const row = held ?? this.create(body.name, address);
      await this.give(manager, row, user);
      const preferences = await this.merge(manager, row.preferences, body.preferences);
      const saved = { ...row, ...address, preferences, name: body.name || row.name, secretSha256: digest(secret) };
      await manager.getRepository(SubscriptionEntity).save(saved);
      if (user) await this.dropOldest(manager, user.id);
      return saved;
    });
    if (!user) await this.watch({ secret }, row.id, body.tenderIds);
    return { ...this.toState(row), secret };
  }

  /**
   * Notes what the browser holds now. With a session the device becomes its user's, also one that nobody was signed in
   * to, as long as endpoint and keys are those that it had.
   */
  async replace(caller: PushCaller, id: string, body: HeldSubscription): Promise<SubscriptionState> {
    const address = this.check(body);
    const row = await this.dataSource.transaction(async (manager) => {
      // In the order in which `add` locks: the endpoint, then its row.
      const held = await this.heldAt(manager, address);
      const own = await this.find(manager, caller, id, true).catch((error) => {
        if (!caller.user) throw error;
      });
      const row = own ?? (held?.id === id ? held : undefined);
      if (!row) throw new AppError('NOT_FOUND', NOT_FOUND);
      // An earlier row of the same browser.
      if (held && held.id !== row.id) await manager.delete(SubscriptionEntity, { id: held.id });
      if (caller.user) await this.give(manager, row, caller.user);
      const saved = { ...row, ...address, errors: 0, errorsSince: null, goneSince: null };
      await manager.getRepository(SubscriptionEntity).save(saved);
      return saved;
    });
    return this.toState(row);
  }

  /** How the server holds it. NOT_FOUND unless it is the caller's. */
  async read(caller: PushCaller, id: string): Promise<SubscriptionState> {
    return this.toState(await this.find(this.dataSource.manager, caller, id));
  }

  /** Changes what a device wants; what is left out stays. */
  async change(caller: PushCaller, id: string, change: PreferenceChange): Promise<SubscriptionState> {
    return this.dataSource.transaction(async (manager) => {
      const row = await this.find(manager, caller, id, true);
      const preferences = await this.merge(manager, row.preferences, change);
      await manager.update(SubscriptionEntity, { id }, { preferences });
      return this.toState({ ...row, preferences });
    });
  }

  /** Lets a device go. */
  async remove(caller: PushCaller, id: string): Promise<void> {
    const { endpointSha256 } = await this.find(this.dataSource.manager, caller, id);
    await this.dataSource.manager.delete(SubscriptionEntity, { id, endpointSha256: endpointSha256 ?? IsNull() });
  }

  /** All tenders that a signed-out device keeps; drafts and unknown ids are left out. CONFLICT for a device with a user. */
  async watch(caller: PushCaller, id: string, tenderIds: readonly string[]): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { userId } = await this.find(manager, caller, id);
      if (userId) throw new AppError('CONFLICT', 'This device is told of the bookmarks of its user');
      const ids = tenderIds.map(Number);
      await manager.query('DELETE FROM push_watch WHERE subscription_id = $1 AND tender_id <> ALL($2)', [id, ids]);
      await manager.query(
        `INSERT INTO push_watch SELECT $1, id, $3 FROM tender WHERE id = ANY($2) AND published_at <= $3
         ON CONFLICT DO NOTHING`,
        [id, ids, this.now()],
      );
    });
  }

  /** Whether an account is told by e-mail, and of what. */
  async email(userId: string): Promise<EmailAlerts> {
    const row = await this.dataSource.manager.findOneBy(SubscriptionEntity, { userId, channel: 'email' });
    return { preferences: row?.preferences ?? null };
  }

  /** Turns the alerts by e-mail on, or changes what they tell. */
  async turnEmailOn(userId: string, change: PreferenceChange): Promise<EmailAlerts> {
    return this.dataSource.transaction(async (manager) => {
      await lock(manager, `push email ${userId}`);
      const held = await manager.findOneBy(SubscriptionEntity, { userId, channel: 'email' });
      const preferences = await this.merge(manager, held?.preferences ?? DEFAULT_PREFERENCES, change);
      const row = held ?? { ...this.create('', MAILS), channel: 'email' as const, userId, recipient: userId };
      await manager.getRepository(SubscriptionEntity).save({ ...row, preferences });
      return { preferences };
    });
  }

  /** Turns them off. */
  async turnEmailOff(userId: string): Promise<EmailAlerts> {
    await this.dataSource.manager.delete(SubscriptionEntity, { userId, channel: 'email' });
    return { preferences: null };
  }

  /** Turns them off by the link of a mail, with an audit event. Gives what they were; undefined when they are off already. */
  async stopEmail(userId: string, requestId: string): Promise<Preferences | undefined> {
    return this.dataSource.transaction(async (manager) => {
      await lock(manager, `push email ${userId}`);
      const held = await manager.findOneBy(SubscriptionEntity, { userId, channel: 'email' });
      if (!held) return undefined;
      await manager.delete(SubscriptionEntity, { id: held.id });
      const event = { action: 'alerts.mails-stopped', actorId: null, subject: userId, detail: {}, requestId };
      await recordDeed(manager, event, this.now());
      return held.preferences;
    });
  }

  /** The caller's row; `isToChange` locks it. NOT_FOUND for any other id, whether or not somebody else has it. */
  private async find(
    manager: EntityManager,
    { user, secret }: PushCaller,
    id: string,
    isToChange = false,
  ): Promise<SubscriptionEntity> {
    if (!user && secret === undefined) throw new AppError('UNAUTHENTICATED', 'Please sign in');
    const row = UUID.test(id)
      ? await manager.findOne(SubscriptionEntity, {
          where: {
            id,
            channel: 'push',
            ...(user ? { userId: user.id } : { secretSha256: digest(secret ?? '') }),
          },
          ...(isToChange && LOCKED),
        })
      : null;
    if (!row) throw new AppError('NOT_FOUND', NOT_FOUND);
    return row;
  }

  private check({ endpoint, keys, applicationServerKey }: HeldSubscription): Address {
    const problem = endpointProblem(endpoint, this.config.pushHosts);
    if (problem) {
      // A service that the list lacks is found here and nowhere else.
      this.logger.warn(`An endpoint at ${URL.parse(endpoint)?.hostname ?? 'no host'} was refused: ${problem}`);
      throw new AppError('INVALID', problem, { endpoint: problem });
    }
    if (!isPoint(keys.p256dh)) throw new AppError('INVALID', 'p256dh is no key', { 'keys.p256dh': 'p256dh is no key' });
    const key = applicationServerKey ?? this.publicKey();
    if (!this.config.vapidKeys.some(({ publicKey }) => publicKey === key))
      throw new AppError('CONFLICT', 'Please turn notifications off and on again: their key has changed');
    const { host } = new URL(endpoint);
    return { ...keys, endpoint, endpointSha256: digest(endpoint), host, vapidKid: kidOf(key) };
  }

  /** The row of this endpoint. CONFLICT when its keys are others: whoever sends it does not hold that subscription. */
  private async heldAt(manager: EntityManager, address: Address): Promise<SubscriptionEntity | null> {
    await lock(manager, `push endpoint ${address.endpointSha256}`);
    const row = await manager.findOne(SubscriptionEntity, {
      where: { endpointSha256: address.endpointSha256 ?? '' },
      ...LOCKED,
    });
    if (row && (row.p256dh !== address.p256dh || row.auth !== address.auth))
      throw new AppError('CONFLICT', 'This endpoint is held with other keys');
    return row;
  }

  private create(name: string, address: Address): SubscriptionEntity {
    const id = randomUUID();
    return {
      ...address,
      id,
      channel: 'push',
      userId: null,
      sessionId: null,
      recipient: id,
      secretSha256: null,
      name,
      preferences: DEFAULT_PREFERENCES,
      createdAt: this.now(),
      lastOkAt: null,
      lastErrorAt: null,
      errors: 0,
      errorsSince: null,
      goneSince: null,
    };
  }

  /** Makes a row that of a user and session, or of nobody; what was on its way to another user goes. */
  private async give(manager: EntityManager, row: SubscriptionEntity, user: PushCaller['user']): Promise<void> {
    const userId = user?.id ?? null;
    if (row.userId !== userId) {
      if (row.userId === null) await inherit(manager, row.id, userId as string);
      else {
        if (userId === null) await remember(manager, row.id, row.userId, this.now());
        await manager.query('DELETE FROM push_delivery WHERE subscription_id = $1', [row.id]);
      }
      await manager.query('DELETE FROM push_watch WHERE subscription_id = $1', [row.id]);
      if (row.userId !== null) row.preferences = { ...row.preferences, mutedTenders: [], mutedSearches: [] };
    }
    Object.assign(row, { userId, sessionId: user?.sessionId ?? null, recipient: userId ?? row.id });
  }

  private async merge(manager: EntityManager, held: Preferences, change: PreferenceChange): Promise<Preferences> {
    const merged = { ...held, ...change, kinds: { ...held.kinds, ...change.kinds } };
    if (merged.zone === held.zone) return merged;
    // The database reckons the quiet hours; a zone that browsers know and it does not would stop everybody's.
    const names = zoneNames(merged.zone);
    const rows: { name: string }[] = await manager.query('SELECT name FROM pg_timezone_names WHERE name = ANY($1)', [
      names,
    ]);
    const zone = names.find((each) => rows.some(({ name }) => name === each)) ?? DEFAULT_PREFERENCES.zone;
    return { ...merged, zone };
  }

  private async dropOldest(manager: EntityManager, userId: string): Promise<void> {
    await lock(manager, `push devices ${userId}`);
    const rows: { id: string }[] = await manager.query(
      `SELECT id FROM push_subscription WHERE user_id = $1 AND channel = 'push'
       ORDER BY coalesce(last_ok_at, created_at) DESC, created_at DESC OFFSET $2`,
      [userId, MOST_DEVICES],
    );
    await manager.delete(SubscriptionEntity, { id: In(rows.map(({ id }) => id)) });
  }

  private toState({ id, recipient, vapidKid, preferences }: SubscriptionEntity): SubscriptionState {
    const keys = this.config.vapidKeys.find(({ publicKey }) => kidOf(publicKey) === vapidKid);
    return { id, rcpt: rcptOf(recipient), applicationServerKey: keys?.publicKey ?? '', preferences };
  }
}

const LOCKED = { lock: { mode: 'pessimistic_write' } } as const;

const MAILS: Address = {
  endpoint: null,
  endpointSha256: null,
  host: 'email',
  p256dh: null,
  auth: null,
  vapidKid: null,
};

/** A zone as the device names it and as Intl does; India's, by its old name in browsers, only by the one that all know. */
const zoneNames = (zone: string): string[] =>
  [zone, new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone].map((name) =>
    name === 'Asia/Calcutta' ? 'Asia/Kolkata' : name,
  );

/** One at a time, until the transaction ends. */
const lock = (manager: EntityManager, what: string): Promise<unknown> =>
  manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [what]);

/** What a device was told before its user signed in there, the user was told: the bookmarks come along. */
async function inherit(manager: EntityManager, id: string, userId: string): Promise<void> {
  await manager.query(
    `UPDATE notice n SET user_id = $2, subscription_id = NULL, recipient = $2 WHERE subscription_id = $1 AND NOT EXISTS (
       SELECT 1 FROM notice o WHERE o.recipient = $2 AND o.tender_id = n.tender_id AND o.kind = n.kind AND o.version = n.version)`,
    [id, userId],
  );
  await manager.query('DELETE FROM notice WHERE subscription_id = $1', [id]);
}

/** The other way round: what its user was told there, nobody hears there again; it is not in the device's own list. */
async function remember(manager: EntityManager, id: string, userId: string, now: Date): Promise<void> {
  await manager.query(
    `INSERT INTO notice (subscription_id, recipient, tender_id, kind, version, state, works, detail, created_at)
     SELECT $1, $1, n.tender_id, n.kind, n.version, 'skipped', n.works, n.detail, n.created_at
     FROM notice n JOIN tender t ON t.id = n.tender_id
     WHERE n.recipient = $2 AND n.kind <> 'match' AND t.closes_at > $3 AND NOT EXISTS (
       SELECT 1 FROM push_delivery d WHERE d.notice_id = n.id AND d.subscription_id = $1 AND d.state = 'waiting')
     ON CONFLICT DO NOTHING`,
    [id, userId, now],
  );
}
