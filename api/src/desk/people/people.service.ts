import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { AccountExportResponse } from '@nivida/contract/account/account-export';
import type { StaffRole } from '@nivida/contract/desk/act';
import type { GrantPlanRequest, ListedPerson, PersonContact, PersonResponse } from '@nivida/contract/desk/people';
import { readMobile } from '@nivida/contract/fields';
import { currentLanguage } from '@nivida/contract/i18n';
import { MINUTE_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager, MoreThan, type SelectQueryBuilder } from 'typeorm';
import { UUID_REGEX } from 'valibot';
import { AuditEntity } from '../../audit/audit.entity.ts';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { maskEmail, maskMobile } from '../../auth/security-events.service.ts';
import { SessionsService } from '../../auth/sessions/sessions.service.ts';
import {
  type FailureCounter,
  SIGNED_IN_COUNTER,
  SignInThrottleService,
} from '../../auth/sign-in/sign-in-throttle.service.ts';
import { StaffEntity } from '../../auth/staff/staff.entity.ts';
import { UserEntity } from '../../auth/user.entity.ts';
import { AppError } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { ApiKeysService } from '../../data-out/keys/api-keys.service.ts';
import { SearchFeedsService } from '../../data-out/search-feeds/search-feeds.service.ts';
import { GiftsService, type GivenGift } from '../../plans/gifts.service.ts';
import { PlansService } from '../../plans/plans.service.ts';
import { ThreadEntity } from '../../support/thread.entity.ts';
import { AccountDeletionService } from '../../users/account-deletion.service.ts';
import { AccountExportService } from '../../users/account-export.service.ts';
import { DELETION_GRACE_MS } from '../../users/erase-accounts.job.ts';
import { ApprovalsService } from '../approvals/approvals.service.ts';
import { AuditLogService } from '../audit-log/audit-log.service.ts';
import { readNewestOrders } from '../orders/newest-orders.ts';
import { PERSON_FIGURES } from './people.sql.ts';

/** How long a member of staff reads the contact data that an act has opened. */
export const OPEN_CONTACT_MS = 15 * MINUTE_MS;
/** How long the file of an export that an act has asked for can be fetched. */
const EXPORT_MS = 5 * MINUTE_MS;

const LISTED_ACCOUNTS = 50;
const SHOWN_THREADS = 5;
const SHOWN_EVENTS = 20;

interface Figures {
  sessions: number;
  lastUsedAt: Date | null;
  passkeys: number;
  apiKeys: number;
  searchFeeds: number;
  alertDevices: number;
  unreadNotices: number;
  savedSearches: number;
  bookmarks: number;
  orderCount: number;
  role: StaffRole | null;
}

/** Accounts for support: read with masked contact data, unlocked, signed out, exported, erased. Each act is an audit event. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly signInThrottle: SignInThrottleService,
    private readonly sessions: SessionsService,
    private readonly keys: ApiKeysService,
    private readonly feeds: SearchFeedsService,
    private readonly plans: PlansService,
    private readonly gifts: GiftsService,
    private readonly exports: AccountExportService,
    private readonly deletion: AccountDeletionService,
    private readonly auditLog: AuditLogService,
    private readonly approvals: ApprovalsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {
    approvals.handle('account.erase', {
      carryOut: async (manager, { subject, proposedBy, reason }) => {
        await this.close(manager, subject, { actorId: proposedBy, reason });
      },
    });
  }

  /** The account with this e-mail address, mobile number or id; none for a part of one. */
  async find(text: string): Promise<ListedPerson[]> {
    const query = this.accounts();
    const mobile = readMobile(text);
    if (UUID_REGEX.test(text)) query.where('found.id = :text', { text });
    else if (mobile) query.where('found.mobileNo = :mobile', { mobile: `+91${mobile}` });
    else query.where('lower(found.email) = lower(:text)', { text });
    return (await query.getMany()).map((user) => toListed(user));
  }

  /** What `find` finds, else up to 50 accounts with this name of a person or firm, the newest first. */
  async search(text: string): Promise<ListedPerson[]> {
    const found = await this.find(text);
    if (found.length > 0 || text === '') return found;
    const named = await this.accounts()
      .where('lower(found.username) = lower(:text) OR lower(found.companyName) = lower(:text)', { text })
      .orderBy('found.createdAt', 'DESC')
      .limit(LISTED_ACCOUNTS)
      .getMany();
    return named.map((user) => toListed(user));
  }

  /** Up to 50 accounts that are to be erased: those that wait for a second person, then the closed ones, the next due first. */
  async listErasures(): Promise<ListedPerson[]> {
    const open = await this.approvals.listOpen();
    const proposed = open.filter(({ act }) => act === 'account.erase').map(({ subject }) => subject);
    const users = await this.accounts()
      .where("found.deletedAt IS NOT NULL AND found.mobileNo NOT LIKE 'erased-%'")
      .orWhere('found.id = ANY(:proposed)', { proposed })
      .orderBy('found.deletedAt', 'ASC', 'NULLS FIRST')
      .limit(LISTED_ACCOUNTS)
      .getMany();
    return users.map((user) => toListed(user));
  }

  /** The id of the one account that `find` finds. NOT_FOUND. */
  async idOf(text: string): Promise<string> {
    const [found] = await this.find(text);
    if (!found) throw accountNotFound();
    return found.id;
  }

  /** An account with masked contact data, unless `reader` has opened them in the last 15 minutes. NOT_FOUND. */
  async read(id: string, reader: string | null): Promise<PersonResponse> {
    const user = await this.get(id);
    const now = this.now();
    const opened = reader && (await this.lastAct(id, reader, 'account.opened', OPEN_CONTACT_MS));
    const [figures]: Figures[] = await this.dataSource.query(PERSON_FIGURES, [id, now]);
    const { lastUsedAt, ...counts } = figures as Figures;
    const proposal = await this.approvals.findOpen('account.erase', id);
    return {
      ...toListed(user),
      ...(opened && contactOf(user)),
      openUntil: opened ? new Date(opened.getTime() + OPEN_CONTACT_MS).toISOString() : null,
      language: user.language,
      companyType: user.companyType,
      districts: user.districts,
      departments: user.departments,
      erasedOn: erasedOn(user)?.toISOString() ?? null,
      notErasable: (await this.obstacleOf(user))?.textsIn(currentLanguage()).message ?? null,
      proposal: proposal && {
        id: proposal.id,
        proposedBy: proposal.proposedBy,
        reason: proposal.reason,
        isOwn: proposal.proposedById === reader,
        proposedAt: proposal.proposedAt.toISOString(),
        expiresAt: proposal.expiresAt.toISOString(),
      },
      secondFactor: user.secondFactor,
      plan: await this.plans.current(id),
      plans: await this.gifts.listOf(id),
      locks: (await this.signInThrottle.readCounters(user.mobileNo)).map(toLock),
      ...counts,
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      orders: await readNewestOrders(this.dataSource.manager, { userId: id }),
      threads: await this.newestThreads(id),
      events: await this.auditLog.about(id, SHOWN_EVENTS),
    };
  }

  /** Opens e-mail address and mobile number for the member of staff, and returns them. NOT_FOUND. */
  async openContact(id: string, act: OperatorAct): Promise<PersonContact> {
    const user = await this.get(id);
    await this.record(this.dataSource.manager, act, 'account.opened', id);
    return contactOf(user);
  }

  /** Ends the locks of wrong passwords and forgets the failures; returns their number of counters. NOT_FOUND. */
  unlock(id: string, act: OperatorAct): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const { mobileNo } = await this.get(id, manager);
      const counters = await this.signInThrottle.clearAll(manager, mobileNo);
      await this.record(manager, act, 'account.unlocked', id, { counters });
      return counters;
    });
  }

  /** Signs all devices of the account out; returns their number. NOT_FOUND. */
  endSessions(id: string, act: OperatorAct): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      await this.get(id, manager);
      const sessions = await this.sessions.endAll(manager, id);
      await this.record(manager, act, 'account.signed-out', id, { sessions });
      return sessions;
    });
  }

  /** Revokes all keys for programs of the account; returns their number. NOT_FOUND. */
  revokeKeys(id: string, act: OperatorAct): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      await this.get(id, manager);
      const keys = await this.keys.revokeAll(manager, id);
      await this.record(manager, act, 'account.keys-revoked', id, { keys });
      return keys;
    });
  }

  /** Ends all private addresses of the account's saved searches; returns their number. NOT_FOUND. */
  endFeeds(id: string, act: OperatorAct): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      await this.get(id, manager);
      const feeds = await this.feeds.endAll(manager, id);
      await this.record(manager, act, 'account.feeds-ended', id, { feeds });
      return feeds;
    });
  }

  /** Notes that the stored data of an account are exported; `readExport` then gives them for five minutes. NOT_FOUND. */
  async startExport(id: string, act: OperatorAct): Promise<void> {
    await this.get(id);
    await this.record(this.dataSource.manager, act, 'account.exported', id);
  }

  /** The stored data of an account, as its user gets them, for the `reader` who has started the export. NOT_FOUND, CONFLICT. */
  async readExport(id: string, reader: string | null): Promise<AccountExportResponse> {
    await this.get(id);
    if (!(await this.lastAct(id, reader, 'account.exported', EXPORT_MS)))
      throw new AppError('CONFLICT', () => t`Give a reason first; the file can then be fetched for five minutes`);
    return this.exports.exportAccount(id);
  }

  /** Gives a plan until the end of an Indian day. NOT_FOUND; CONFLICT for a closed account; see `GiftsService.give`. */
  async grantPlan(id: string, gift: Omit<GrantPlanRequest, 'reason'>, act: OperatorAct): Promise<GivenGift> {
    const user = await this.get(id);
    if (user.deletedAt) throw alreadyClosed(user);
    return this.gifts.give({ ...gift, email: user.email }, act);
  }

  /** Ends a plan that was given to the account. NOT_FOUND, also for the plan of another account; see `GiftsService.end`. */
  async endPlan(id: string, planId: string, act: OperatorAct): Promise<void> {
    await this.get(id);
    const isOwn = (await this.gifts.listOf(id)).some((plan) => plan.id === planId);
    if (!isOwn) throw new AppError('NOT_FOUND', () => t`There is no such plan`);
    await this.gifts.end(planId, act);
  }

  /**
   * Closes an account as its user would, without a second person: it is erased after 7 days, and its user gets a mail. Returns
   * the instant of the erasure. For commands on the server. NOT_FOUND; CONFLICT for a closed account and for a member of staff.
   */
  erase(id: string, act: OperatorAct & { actorId: null }): Promise<Date> {
    return this.dataSource.transaction((manager) => this.close(manager, id, act));
  }

  /** Proposes to a second person what `erase` does. CONFLICT as there, and when it is proposed already. */
  async proposeErasure(id: string, act: OperatorAct): Promise<void> {
    await this.assertErasable(await this.get(id));
    await this.approvals.propose('account.erase', id, act);
  }

  /** Throws the CONFLICT with which `erase` refuses an account. */
  async assertErasable(user: UserEntity, manager: EntityManager = this.dataSource.manager): Promise<void> {
    const obstacle = await this.obstacleOf(user, manager);
    if (obstacle) throw obstacle;
  }

  /** Stops an erasure within its 7 days and mails the user. NOT_FOUND; CONFLICT for an open and for an erased account. */
  async reopen(id: string, act: OperatorAct): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const user = await this.get(id, manager);
      if (!(await this.deletion.reopen(manager, user)))
        throw new AppError('CONFLICT', () =>
          isErased(user) ? t`The data of this account are erased` : t`This account is not being erased`,
        );
      await this.record(manager, act, 'account.restored', id);
    });
  }

  /** An account for an act. NOT_FOUND. */
  async get(id: string, manager: EntityManager = this.dataSource.manager): Promise<UserEntity> {
    const user = UUID_REGEX.test(id) && (await manager.getRepository(UserEntity).findOneBy({ id }));
    if (!user) throw accountNotFound();
    return user;
  }

  private accounts(): SelectQueryBuilder<UserEntity> {
    return this.dataSource.getRepository(UserEntity).createQueryBuilder('found');
  }

  /** Closes an account in the transaction of `manager`. Returns the instant of the erasure. NOT_FOUND, CONFLICT. */
  private async close(manager: EntityManager, id: string, act: OperatorAct): Promise<Date> {
    const user = await this.get(id, manager);
    await this.assertErasable(user, manager);
    const erasure = await this.deletion.close(manager, user);
    if (!erasure) throw alreadyClosed(user);
    await this.record(manager, act, 'account.deleted', id, { erasedOn: erasure.toISOString() });
    return erasure;
  }

  /** Why an account cannot be erased; null when it can. */
  private async obstacleOf(
    user: UserEntity,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<AppError | null> {
    if (user.deletedAt) return alreadyClosed(user);
    const isStaff = await manager.getRepository(StaffEntity).existsBy({ userId: user.id });
    return isStaff
      ? new AppError('CONFLICT', () => t`This account belongs to a member of staff. End its role first.`)
      : null;
  }

  private record(
    manager: EntityManager,
    act: OperatorAct,
    action: string,
    subject: string,
    detail: Record<string, string | number> = {},
  ): Promise<void> {
    return recordAct(manager, act, { action, subject, detail }, this.now());
  }

  /** When `reader` last did an act within the time; null: not. */
  private async lastAct(
    subject: string,
    reader: string | null,
    action: string,
    withinMs: number,
  ): Promise<Date | null> {
    const at = MoreThan(new Date(this.now().getTime() - withinMs));
    const where = { subject, action, at, ...(reader !== null && { actorId: reader }) };
    const found = await this.dataSource.getRepository(AuditEntity).findOne({ where, order: { id: 'DESC' } });
    return found?.at ?? null;
  }

  private async newestThreads(userId: string): Promise<PersonResponse['threads']> {
    const threads = await this.dataSource
      .getRepository(ThreadEntity)
      .find({ where: { userId }, order: { number: 'DESC' }, take: SHOWN_THREADS });
    return threads.map(({ id, subject, state, updatedAt }) => ({ id, subject, state, at: updatedAt.toISOString() }));
  }
}

const isErased = ({ id, mobileNo }: UserEntity): boolean => mobileNo === `erased-${id}`;

const erasedOn = (user: UserEntity): Date | null =>
  user.deletedAt && !isErased(user) ? new Date(user.deletedAt.getTime() + DELETION_GRACE_MS) : null;

const contactOf = (user: UserEntity) =>
  isErased(user) ? { email: '', mobileNo: '' } : { email: user.email, mobileNo: user.mobileNo };

function toListed(user: UserEntity): ListedPerson {
  const { id, username, companyName, state, createdAt, deletedAt } = user;
  return {
    id,
    username,
    companyName,
    state,
    email: isErased(user) ? '' : maskEmail(user.email),
    mobileNo: isErased(user) ? '' : maskMobile(user.mobileNo),
    status: isErased(user) ? 'erased' : deletedAt ? 'closing' : 'open',
    createdAt: createdAt.toISOString(),
  };
}

function toLock({
  counter,
  failuresInARow,
  lastAt,
  lockedUntil,
  isFinal,
}: FailureCounter): PersonResponse['locks'][number] {
  return {
    where: counter === '' ? 'unknown' : counter === SIGNED_IN_COUNTER ? 'signed-in' : 'known',
    failuresInARow,
    lastAt: lastAt.toISOString(),
    lockedUntil: lockedUntil?.toISOString() ?? null,
    isFinal,
  };
}

const accountNotFound = () => new AppError('NOT_FOUND', () => t`There is no such account`);

const alreadyClosed = (user: UserEntity) =>
  new AppError('CONFLICT', () =>
    isErased(user) ? t`The data of this account are erased` : t`This account is already being erased`,
  );
