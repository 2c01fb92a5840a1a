import { randomBytes, randomUUID } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { knownLanguage, LANGUAGES } from '@nivida/contract/languages';
import {
  type AlertPreferences,
  type AlertPreferencesChange,
  type CreateSubscriptionRequest,
  type CreateSubscriptionResponse,
  DEFAULT_ALERT_PREFERENCES,
  type EmailAlertsResponse,
  type SubscriptionResponse,
  type UpdateSubscriptionRequest,
} from '@nivida/contract/push/push';
import { pushEndpointError } from '@nivida/contract/push/push-endpoint';
import { DataSource, type EntityManager, In } from 'typeorm';
import { UUID_REGEX } from 'valibot';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { UserEntity } from '../../auth/user.entity.ts';
import { AppError, forPrograms, invalidField, signInRequired } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import { isCurvePoint, vapidKeyId } from '../../base/vapid-keys.ts';
import { takeNamedLock } from '../../database/locks.sql.ts';
import { sha256Hex } from '../../http/security/cookies.ts';
import type { PushCaller } from './push-caller.guard.ts';
import { SubscriptionEntity } from './subscription.entity.ts';
import {
  COPY_NOTICES_TO_DEVICE,
  DELETE_DELIVERIES,
  DELETE_NOTICES_OF_DEVICE,
  DELETE_OTHER_WATCHES,
  DELETE_WATCHES,
  INSERT_WATCHES,
  KNOWN_TIME_ZONES,
  MOVE_NOTICES_TO_USER,
  SURPLUS_DEVICES,
} from './subscriptions.sql.ts';

const MAX_DEVICES = 20;

const subscriptionNotFound = () => new AppError('NOT_FOUND', forPrograms('Subscription not found'));

/** Opaque tag of a recipient that a device compares. */
export const recipientTag = (recipient: string): string => sha256Hex(`push recipient ${recipient}`).slice(0, 16);

/** The columns that a browser's subscription fills. */
type SubscriptionAddress = Pick<
  SubscriptionEntity,
  'endpoint' | 'endpointSha256' | 'host' | 'p256dh' | 'auth' | 'vapidKid'
>;

/** Push subscriptions, alert mails and their preferences. */
@Injectable()
export class SubscriptionsService {
  private readonly logger = new Logger('Push');

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The key that browsers subscribe with now. */
  publicKey(): string {
    const [current] = this.config.vapidKeys;
    if (!current) throw new AppError('NOT_FOUND', forPrograms('Push is not set up'));
    return current.publicKey;
  }

  /**
   * Stores the subscription of a browser for the user or visitor. An equal endpoint with equal keys is the same browser;
   * with other keys it is a CONFLICT. If a user has more than 20 devices, the one reached longest ago is removed.
   */
  async add({ user }: PushCaller, body: CreateSubscriptionRequest): Promise<CreateSubscriptionResponse> {
    const address = this.validateSubscription(body);
    const secret = randomBytes(32).toString('base64url');
    const row = await this.dataSource.transaction(async (manager) => {
      const existing = await this.findByEndpoint(manager, address);
      const row = existing ?? this.createRow(body.name, address);
      await this.assignOwner(manager, row, user);
      const preferences = await this.mergePreferences(manager, row.preferences, body.preferences);
      const saved = { ...row, ...address, preferences, name: body.name || row.name, secretSha256: sha256Hex(secret) };
      await manager.getRepository(SubscriptionEntity).save(saved);
      if (user) await this.deleteOldest(manager, user.id, row.id);
      return saved;
    });
    if (!user) await this.watch({ secret }, row.id, body.tenderIds);
    return { ...this.toResponse(row), secret };
  }

  /**
   * Stores the browser's present subscription. With a session the device becomes the user's, even if endpoint and keys are
   * unchanged.
   */
  async replace(caller: PushCaller, id: string, body: UpdateSubscriptionRequest): Promise<SubscriptionResponse> {
    const address = this.validateSubscription(body);
    const row = await this.dataSource.transaction(async (manager) => {
      // Locks in the order of `add`: the endpoint, then its row.
      const existing = await this.findByEndpoint(manager, address);
      const own = await this.find(manager, caller, id, true).catch((error) => {
        if (!caller.user) throw error;
      });
      const row = own ?? (existing?.id === id ? existing : undefined);
      if (!row) throw subscriptionNotFound();
      // Removes an earlier row of the same browser.
      if (existing && existing.id !== row.id) await manager.delete(SubscriptionEntity, { id: existing.id });
      if (caller.user) await this.assignOwner(manager, row, caller.user);
      const saved = { ...row, ...address, errors: 0, errorsSince: null, goneSince: null };
      await manager.getRepository(SubscriptionEntity).save(saved);
      return saved;
    });
    return this.toResponse(row);
  }

  /** NOT_FOUND unless it is the caller's. */
  async read(caller: PushCaller, id: string): Promise<SubscriptionResponse> {
    return this.toResponse(await this.find(this.dataSource.manager, caller, id));
  }

  /** Changes the preferences of a device. Absent fields are not changed. */
  async change(caller: PushCaller, id: string, change: AlertPreferencesChange): Promise<SubscriptionResponse> {
    return this.dataSource.transaction(async (manager) => {
      const row = await this.find(manager, caller, id, true);
      const preferences = await this.mergePreferences(manager, row.preferences, change);
      await manager.update(SubscriptionEntity, { id }, { preferences });
      return this.toResponse({ ...row, preferences });
    });
  }

  /** Removes a device with its waiting messages. If it is signed out, its bookmarks and notices are removed too. NOT_FOUND. */
  async remove(caller: PushCaller, id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.find(manager, caller, id, true);
      await manager.delete(SubscriptionEntity, { id });
    });
  }

  /** Replaces the bookmarks of a signed-out device; drafts and unknown ids are ignored. CONFLICT for a device with a user. */
  async watch(caller: PushCaller, id: string, tenderIds: readonly string[]): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { userId } = await this.find(manager, caller, id, true);
      if (userId) throw new AppError('CONFLICT', forPrograms('This device has the bookmarks of its user'));
      const ids = tenderIds.map(Number);
      await manager.query(DELETE_OTHER_WATCHES, [id, ids]);
      await manager.query(INSERT_WATCHES, [id, ids, this.now()]);
    });
  }

  /** The alert mails of an account. */
  async email(userId: string): Promise<EmailAlertsResponse> {
    const row = await this.dataSource.manager.findOneBy(SubscriptionEntity, { userId, channel: 'email' });
    return { preferences: row?.preferences ?? null };
  }

  /** Turns the alert mails on, at first in the account's language, or changes their preferences. */
  async turnEmailOn(userId: string, change: AlertPreferencesChange): Promise<EmailAlertsResponse> {
    return this.dataSource.transaction(async (manager) => {
      await takeNamedLock(manager, `push email ${userId}`);
      const existing = await manager.findOneBy(SubscriptionEntity, { userId, channel: 'email' });
      const { language } = await manager.findOneByOrFail(UserEntity, { id: userId });
      const first = { ...DEFAULT_ALERT_PREFERENCES, language: LANGUAGES[knownLanguage(language)].locale };
      const preferences = await this.mergePreferences(manager, existing?.preferences ?? first, change);
      const row = existing ?? {
        ...this.createRow('', EMAIL_ADDRESS_COLUMNS),
        channel: 'email' as const,
        userId,
        recipient: userId,
      };
      await manager.getRepository(SubscriptionEntity).save({ ...row, preferences });
      return { preferences };
    });
  }

  /** Turns the alert mails off. */
  async turnEmailOff(userId: string): Promise<EmailAlertsResponse> {
    await this.dataSource.manager.delete(SubscriptionEntity, { userId, channel: 'email' });
    return { preferences: null };
  }

  /** Turns the alert mails off by the link in a mail, with an audit event. Returns the former preferences; undefined when already off. */
  async unsubscribeEmail(userId: string, requestId: string): Promise<AlertPreferences | undefined> {
    return this.dataSource.transaction(async (manager) => {
      await takeNamedLock(manager, `push email ${userId}`);
      const existing = await manager.findOneBy(SubscriptionEntity, { userId, channel: 'email' });
      if (!existing) return undefined;
      await manager.delete(SubscriptionEntity, { id: existing.id });
      const event = { action: 'alerts.mails-stopped', actorId: null, subject: userId, detail: {}, requestId };
      await recordAuditEvent(manager, event, this.now());
      return existing.preferences;
    });
  }

  /** The caller's row; `isToChange` locks it. NOT_FOUND for any other id. */
  private async find(
    manager: EntityManager,
    { user, secret }: PushCaller,
    id: string,
    isToChange = false,
  ): Promise<SubscriptionEntity> {
    if (!user && secret === undefined) throw signInRequired();
    const row = UUID_REGEX.test(id)
      ? await manager.findOne(SubscriptionEntity, {
          where: {
            id,
            channel: 'push',
            ...(user ? { userId: user.id } : { secretSha256: sha256Hex(secret ?? '') }),
          },
          ...(isToChange && ROW_LOCK),
        })
      : null;
    if (!row) throw subscriptionNotFound();
    return row;
  }

  private validateSubscription({
    endpoint,
    keys,
    applicationServerKey,
  }: UpdateSubscriptionRequest): SubscriptionAddress {
    const problem = pushEndpointError(endpoint, this.config.pushHosts);
    if (problem) {
      // Logged because nothing else shows that a push service is missing from the list.
      this.logger.warn(`An endpoint at ${URL.parse(endpoint)?.hostname ?? 'no host'} was refused: ${problem}`);
      throw invalidField('endpoint', forPrograms(problem));
    }
    if (!isCurvePoint(keys.p256dh)) throw invalidField('keys.p256dh', forPrograms('p256dh is no key'));
    const key = applicationServerKey ?? this.publicKey();
    if (!this.config.vapidKeys.some(({ publicKey }) => publicKey === key))
      throw new AppError('CONFLICT', () => t`Please turn notifications off and on again: their key has changed`);
    const { host } = new URL(endpoint);
    return { ...keys, endpoint, endpointSha256: sha256Hex(endpoint), host, vapidKid: vapidKeyId(key) };
  }

  /** The row of this endpoint. CONFLICT for other keys: the caller does not own the subscription. */
  private async findByEndpoint(
    manager: EntityManager,
    address: SubscriptionAddress,
  ): Promise<SubscriptionEntity | null> {
    await takeNamedLock(manager, `push endpoint ${address.endpointSha256}`);
    const row = await manager.findOne(SubscriptionEntity, {
      where: { endpointSha256: address.endpointSha256 ?? '' },
      ...ROW_LOCK,
    });
    if (row && (row.p256dh !== address.p256dh || row.auth !== address.auth))
      throw new AppError('CONFLICT', forPrograms('This endpoint is stored with other keys'));
    return row;
  }

  private createRow(name: string, address: SubscriptionAddress): SubscriptionEntity {
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
      preferences: DEFAULT_ALERT_PREFERENCES,
      createdAt: this.now(),
      lastOkAt: null,
      lastErrorAt: null,
      errors: 0,
      errorsSince: null,
      goneSince: null,
    };
  }

  /** Assigns a row to a user and session, or to no user. Waiting deliveries of another user are deleted. */
  private async assignOwner(manager: EntityManager, row: SubscriptionEntity, user: PushCaller['user']): Promise<void> {
    const userId = user?.id ?? null;
    if (row.userId !== userId) {
      if (row.userId === null) await moveNoticesToUser(manager, row.id, userId as string);
      else {
        if (userId === null) await copyUserNoticesToDevice(manager, row.id, row.userId, this.now());
        await manager.query(DELETE_DELIVERIES, [row.id]);
      }
      await manager.query(DELETE_WATCHES, [row.id]);
      if (row.userId !== null) row.preferences = { ...row.preferences, mutedTenders: [], mutedSearches: [] };
    }
    Object.assign(row, { userId, sessionId: user?.sessionId ?? null, recipient: userId ?? row.id });
  }

  private async mergePreferences(
    manager: EntityManager,
    current: AlertPreferences,
    change: AlertPreferencesChange,
  ): Promise<AlertPreferences> {
    const merged = { ...current, ...change, kinds: { ...current.kinds, ...change.kinds } };
    if (merged.zone === current.zone) return merged;
    // PostgreSQL computes the quiet hours, so the zone must be known there.
    const names = zoneNames(merged.zone);
    const rows: { name: string }[] = await manager.query(KNOWN_TIME_ZONES, [names]);
    const zone = names.find((each) => rows.some(({ name }) => name === each)) ?? DEFAULT_ALERT_PREFERENCES.zone;
    return { ...merged, zone };
  }

  /** Deletes the oldest devices above the limit, but never `newestId`. A wrong clock may have made other devices seem newer. */
  private async deleteOldest(manager: EntityManager, userId: string, newestId: string): Promise<void> {
    await takeNamedLock(manager, `push devices ${userId}`);
    const rows: { id: string }[] = await manager.query(SURPLUS_DEVICES, [userId, MAX_DEVICES, newestId]);
    await manager.delete(SubscriptionEntity, { id: In(rows.map(({ id }) => id)) });
  }

  private toResponse({ id, recipient, vapidKid, preferences }: SubscriptionEntity): SubscriptionResponse {
    const keys = this.config.vapidKeys.find(({ publicKey }) => vapidKeyId(publicKey) === vapidKid);
    return { id, rcpt: recipientTag(recipient), applicationServerKey: keys?.publicKey ?? '', preferences };
  }
}

const ROW_LOCK = { lock: { mode: 'pessimistic_write' } } as const;

const EMAIL_ADDRESS_COLUMNS: SubscriptionAddress = {
  endpoint: null,
  endpointSha256: null,
  host: 'email',
  p256dh: null,
  auth: null,
  vapidKid: null,
};

/** The zone by the device's name and by Intl's. 'Asia/Calcutta' of older browsers becomes 'Asia/Kolkata'. */
const zoneNames = (zone: string): string[] =>
  [zone, new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone].map((name) =>
    name === 'Asia/Calcutta' ? 'Asia/Kolkata' : name,
  );

/** Moves the notices of a device to the user who has signed in on it. */
async function moveNoticesToUser(manager: EntityManager, id: string, userId: string): Promise<void> {
  await manager.query(MOVE_NOTICES_TO_USER, [id, userId]);
  await manager.query(DELETE_NOTICES_OF_DEVICE, [id]);
}

/** Copies the user's notices to a device that is signed out, as skipped, so that they are not sent to it again. */
async function copyUserNoticesToDevice(manager: EntityManager, id: string, userId: string, now: Date): Promise<void> {
  await manager.query(COPY_NOTICES_TO_DEVICE, [id, userId, now]);
}
