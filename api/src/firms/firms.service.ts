import { randomBytes, randomUUID } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { followedSearchId } from '@nivida/contract/bids/record-ids';
import type { Firm, FirmInvitation, FirmInvitationRequest, FirmRequest, FirmRole } from '@nivida/contract/firms/firms';
import { pathIn } from '@nivida/contract/languages';
import { INVITATION_DAYS, MAX_FIRM_MEMBERS, MAX_FIRMS } from '@nivida/contract/limits';
import { DAY_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager, IsNull, LessThanOrEqual, MoreThan } from 'typeorm';
import { UUID_REGEX } from 'valibot';
import { type AuditEvent, recordAuditEvent } from '../audit/record-audit-event.ts';
import { UserEntity } from '../auth/user.entity.ts';
import { AppError } from '../base/app-error.ts';
import type { Config } from '../base/config.ts';
import { CLOCK, CONFIG } from '../base/injection-tokens.ts';
import { lockAccount } from '../database/locks.sql.ts';
import { RateLimitsService } from '../http/limits/rate-limits.service.ts';
import type { RequestOrigin } from '../http/security/client-address.ts';
import { sha256Hex } from '../http/security/cookies.ts';
import { MailService } from '../mail/mail.service.ts';
import { FirmEntity, FirmInvitationEntity, FirmMemberEntity } from './firm.entity.ts';
import { FirmAccessService, notAMember } from './firm-access.service.ts';
import {
  DELETE_FIRMS,
  DELETE_NOTICES_OF_FIRM,
  DELETE_SEARCHES,
  EMPTY_FIRMS,
  FIRMS_WITHOUT_OTHER_OWNER,
  HAND_OVER,
  LEAVE_ALL_FIRMS,
  MEMBERS_OF_FIRM,
  OTHER_OWNERS,
  SHARED_SEARCHES,
} from './firms.sql.ts';

const UNKNOWN_INVITATION = new AppError(
  'NOT_FOUND',
  () => t`This invitation is not valid any more. Ask the firm for a new one.`,
);

interface MemberRow {
  id: string;
  name: string;
  role: FirmRole;
  joined_at: Date;
  left_at: Date | null;
}

/** Firms, their members and invitations. The caller takes the user's id from the session. */
@Injectable()
export class FirmsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: FirmAccessService,
    private readonly mails: MailService,
    private readonly limits: RateLimitsService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The firms of a user, the one joined first comes first. */
  async list(userId: string): Promise<Firm[]> {
    const own = await this.dataSource.manager.find(FirmMemberEntity, {
      where: { userId, leftAt: IsNull() },
      order: { joinedAt: 'ASC', firmId: 'ASC' },
    });
    const firms: Firm[] = [];
    for (const member of own) firms.push(await this.describe(member));
    return firms;
  }

  /** Ids of a user's firms. */
  async ids(userId: string): Promise<string[]> {
    const own = await this.dataSource.manager.findBy(FirmMemberEntity, { userId, leftAt: IsNull() });
    return own.map(({ firmId }) => firmId).sort();
  }

  /** Creates a firm with the user as its owner. CONFLICT at the limit of firms. */
  async create(userId: string, firm: FirmRequest, requestId: string): Promise<Firm> {
    const id = randomUUID();
    const now = this.now();
    const member: FirmMemberEntity = { firmId: id, userId, role: 'owner', joinedAt: now, leftAt: null };
    await this.dataSource.transaction(async (manager) => {
      await this.requireRoomForFirm(manager, userId);
      await manager.insert(FirmEntity, { id, ...firm, createdAt: now });
      await manager.insert(FirmMemberEntity, member);
      await this.record(manager, { action: 'firm.created', actorId: userId, subject: id, detail: {}, requestId });
    });
    return this.describe(member);
  }

  /** Changes name, address and GSTIN. NOT_A_MEMBER; FORBIDDEN unless the user is an owner. */
  async change(userId: string, firmId: string, firm: FirmRequest, requestId: string): Promise<Firm> {
    const member = await this.dataSource.transaction(async (manager) => {
      const owner = await this.access.lockForOwner(manager, firmId, userId);
      await manager.update(FirmEntity, { id: firmId }, firm);
      await this.record(manager, { action: 'firm.changed', actorId: userId, subject: firmId, detail: {}, requestId });
      return owner;
    });
    return this.describe(member);
  }

  /**
   * Closes a firm and deletes its records and files. NOT_A_MEMBER; FORBIDDEN unless the user is an owner; CONFLICT while
   * it has other members, because each of them would lose work without a warning.
   */
  async close(userId: string, firmId: string, requestId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.access.lockForOwner(manager, firmId, userId);
      if ((await manager.countBy(FirmMemberEntity, { firmId, leftAt: IsNull() })) > 1)
        throw new AppError('CONFLICT', () => t`Remove the other members before you close the firm`);
      await deleteFirms(manager, [firmId]);
      await this.record(manager, { action: 'firm.closed', actorId: userId, subject: firmId, detail: {}, requestId });
    });
  }

  /**
   * Mails an invitation; an earlier one for the address ends. NOT_A_MEMBER; FORBIDDEN unless the user is an owner; CONFLICT
   * for a member and when all places are taken; TOO_MANY. The answer does not depend on whether the address has an account.
   */
  async invite(
    userId: string,
    firmId: string,
    { email: to, role }: FirmInvitationRequest,
    requestId: string,
  ): Promise<Firm> {
    const email = to.toLowerCase();
    await this.access.member(firmId, userId);
    await this.limits.consume('firm-invitation', { account: userId, email });
    const now = this.now();
    const token = randomBytes(32).toString('base64url');
    const member = await this.dataSource.transaction(async (manager) => {
      const owner = await this.access.lockForOwner(manager, firmId, userId);
      await this.requirePlace(manager, firmId, email);
      const invitation = {
        ...{ id: randomUUID(), firmId, email, role, tokenHash: sha256Hex(token), invitedBy: userId, createdAt: now },
        expiresAt: new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
      };
      await manager.insert(FirmInvitationEntity, invitation);
      const firm = await manager.findOneByOrFail(FirmEntity, { id: firmId });
      const inviter = await manager.findOneByOrFail(UserEntity, { id: userId });
      const { language, username: invitedBy } = inviter;
      await this.mails.queue(manager, {
        ...{ kind: 'firm-invitation', to, language, firm: firm.name, invitedBy, days: INVITATION_DAYS },
        // A fragment is sent neither to server logs nor in a Referer header.
        link: `${this.config.publicOrigin}${pathIn(language, '/firm-invitation')}#token=${token}`,
      });
      const detail = { invitation: invitation.id, role };
      await this.record(manager, { action: 'firm.invited', actorId: userId, subject: firmId, detail, requestId });
      return owner;
    });
    return this.describe(member);
  }

  /** Withdraws an invitation. NOT_A_MEMBER; FORBIDDEN unless the user is an owner; NOT_FOUND. */
  async withdraw(userId: string, firmId: string, invitationId: string): Promise<Firm> {
    const member = await this.dataSource.transaction(async (manager) => {
      const owner = await this.access.lockForOwner(manager, firmId, userId);
      const id = UUID_REGEX.test(invitationId) ? invitationId : '';
      const { affected } = id ? await manager.delete(FirmInvitationEntity, { id, firmId }) : { affected: 0 };
      if (!affected) throw UNKNOWN_INVITATION;
      return owner;
    });
    return this.describe(member);
  }

  /** What the signed-in user is invited to. NOT_FOUND, FORBIDDEN for another address, TOO_MANY after wrong tokens. */
  async readInvitation(userId: string, token: string, origin: RequestOrigin): Promise<FirmInvitation> {
    const { manager } = this.dataSource;
    const { firmId, invitedBy, role, expiresAt } = await this.findInvitation(manager, userId, token, origin);
    const firm = await manager.findOneByOrFail(FirmEntity, { id: firmId });
    const inviter = await manager.findOneByOrFail(UserEntity, { id: invitedBy });
    return { firm: firm.name, invitedBy: inviter.username, role, expiresAt: expiresAt.toISOString() };
  }

  /**
   * Makes the user a member; the invitation cannot be used again. NOT_FOUND and FORBIDDEN as in `readInvitation`; CONFLICT
   * when the user has too many firms.
   */
  async accept(userId: string, token: string, origin: RequestOrigin): Promise<Firm> {
    const { firmId: invitingFirm } = await this.findInvitation(this.dataSource.manager, userId, token, origin);
    const member = await this.dataSource.transaction(async (manager) => {
      await manager.findOne(FirmEntity, { where: { id: invitingFirm }, lock: { mode: 'for_no_key_update' } });
      // Read again with the firm locked: it may have been used or withdrawn in the meantime.
      const { id, firmId, role } = await this.findInvitation(manager, userId, token, origin);
      const former = await manager.findOneBy(FirmMemberEntity, { firmId, userId });
      await manager.delete(FirmInvitationEntity, { id });
      if (former && !former.leftAt) return former;
      await this.requireRoomForFirm(manager, userId);
      const joined = { firmId, userId, role, joinedAt: this.now(), leftAt: null };
      await manager.save(FirmMemberEntity, joined);
      const event = { action: 'firm.joined', actorId: userId, subject: firmId, detail: { role } };
      await this.record(manager, { ...event, requestId: origin.requestId });
      return joined;
    });
    return this.describe(member);
  }

  /** Changes a role. NOT_A_MEMBER; FORBIDDEN unless the user is an owner; NOT_FOUND; CONFLICT for the last owner. */
  async changeRole(userId: string, firmId: string, memberId: string, role: FirmRole, requestId: string): Promise<Firm> {
    const own = await this.dataSource.transaction(async (manager) => {
      const owner = await this.access.lockForOwner(manager, firmId, userId);
      const member = await this.findMember(manager, firmId, memberId);
      if (role === 'member') await this.requireOtherOwner(manager, member);
      await manager.update(FirmMemberEntity, { firmId, userId: member.userId }, { role });
      const detail = { member: member.userId, role };
      await this.record(manager, { action: 'firm.role-changed', actorId: userId, subject: firmId, detail, requestId });
      return member.userId === userId ? { ...owner, role } : owner;
    });
    return this.describe(own);
  }

  /**
   * Removes a member, or the user leaves. What a member wrote stays with the firm. NOT_A_MEMBER; FORBIDDEN unless the user
   * is an owner or leaves; NOT_FOUND; CONFLICT for the last owner.
   */
  async remove(userId: string, firmId: string, memberId: string, requestId: string): Promise<void> {
    const isOwn = memberId.toLowerCase() === userId;
    await this.dataSource.transaction(async (manager) => {
      if (isOwn) await this.access.lockForMember(manager, firmId, userId);
      else await this.access.lockForOwner(manager, firmId, userId);
      const member = await this.findMember(manager, firmId, memberId);
      await this.requireOtherOwner(manager, member);
      await manager.update(FirmMemberEntity, { firmId, userId: member.userId }, { leftAt: this.now() });
      await this.removeTraces(manager, firmId, member.userId);
      const action = isOwn ? 'firm.left' : 'firm.removed';
      const detail = { member: member.userId };
      await this.record(manager, { action, actorId: userId, subject: firmId, detail, requestId });
    });
  }

  /** CONFLICT, with an instruction, while a user is the only owner of a firm with other members. */
  async requireNoSoleOwnership(manager: EntityManager, userId: string): Promise<void> {
    const [firm]: { name: string }[] = await manager.query(FIRMS_WITHOUT_OTHER_OWNER, [userId]);
    if (!firm) return;
    const { name } = firm;
    throw new AppError(
      'CONFLICT',
      () => t`You are the only owner of ${name}. Make another member an owner first, or remove the members.`,
    );
  }

  /** The user's memberships, present and former, for the account export. */
  async exportMemberships(userId: string) {
    const rows = await this.dataSource.manager.find(FirmMemberEntity, {
      where: { userId },
      order: { joinedAt: 'ASC' },
    });
    const firms = [];
    for (const { firmId, role, joinedAt, leftAt } of rows) {
      const { name } = await this.dataSource.manager.findOneByOrFail(FirmEntity, { id: firmId });
      const times = { joinedAt: joinedAt.toISOString(), leftAt: leftAt?.toISOString() ?? null };
      firms.push({ id: firmId, name, role, ...times });
    }
    return firms;
  }

  /** Present and former members, in the order in which they joined. */
  async allMembers(firmId: string) {
    const rows: MemberRow[] = await this.dataSource.query(MEMBERS_OF_FIRM, [firmId]);
    return rows.map(({ id, name, role, joined_at: joinedAt, left_at: leftAt }) => ({
      ...{ id, name, role, joinedAt: joinedAt.toISOString() },
      leftAt: leftAt?.toISOString() ?? null,
    }));
  }

  /** What a user has of a firm outside its records: notices, and own searches that follow shared ones. */
  private async removeTraces(manager: EntityManager, firmId: string, userId: string): Promise<void> {
    await manager.query(DELETE_NOTICES_OF_FIRM, [userId, firmId]);
    const shared: { id: string }[] = await manager.query(SHARED_SEARCHES, [firmId]);
    await manager.query(DELETE_SEARCHES, [userId, shared.map(({ id }) => followedSearchId(id, userId))]);
  }

  private async findMember(manager: EntityManager, firmId: string, memberId: string): Promise<FirmMemberEntity> {
    return this.access.member(firmId, memberId, manager).catch(() => {
      throw new AppError('NOT_FOUND', () => t`This person is not a member of the firm`);
    });
  }

  private async requireOtherOwner(manager: EntityManager, { firmId, userId, role }: FirmMemberEntity): Promise<void> {
    if (role !== 'owner') return;
    const others: unknown[] = await manager.query(OTHER_OWNERS, [firmId, userId]);
    if (others.length === 0)
      throw new AppError(
        'CONFLICT',
        () => t`A firm needs an owner. Make another member an owner first, or close the firm.`,
      );
  }

  private async requireRoomForFirm(manager: EntityManager, userId: string): Promise<void> {
    await lockAccount(manager, userId);
    if ((await manager.countBy(FirmMemberEntity, { userId, leftAt: IsNull() })) >= MAX_FIRMS)
      throw new AppError('CONFLICT', () => t`You can belong to at most ${{ max: MAX_FIRMS }} firms`);
  }

  /** Ends the address's earlier invitation. CONFLICT for a member, and when members and open invitations take all places. */
  private async requirePlace(manager: EntityManager, firmId: string, email: string): Promise<void> {
    const known = await manager
      .createQueryBuilder(FirmMemberEntity, 'member')
      .innerJoin(UserEntity, 'account', 'account.id = member.userId')
      .where('member.firmId = :firmId AND member.leftAt IS NULL AND lower(account.email) = :email', {
        firmId,
        email,
      })
      .getExists();
    if (known) throw new AppError('CONFLICT', () => t`This person is already a member`);
    await manager.delete(FirmInvitationEntity, [
      { firmId, email },
      { firmId, expiresAt: LessThanOrEqual(this.now()) },
    ]);
    const members = await manager.countBy(FirmMemberEntity, { firmId, leftAt: IsNull() });
    const invited = await manager.countBy(FirmInvitationEntity, { firmId });
    if (members + invited >= MAX_FIRM_MEMBERS)
      throw new AppError(
        'CONFLICT',
        () => t`A firm has room for ${{ max: MAX_FIRM_MEMBERS }} people, open invitations included`,
      );
  }

  private async findInvitation(
    manager: EntityManager,
    userId: string,
    token: string,
    sender: RequestOrigin,
  ): Promise<FirmInvitationEntity> {
    const where = { tokenHash: sha256Hex(token), expiresAt: MoreThan(this.now()) };
    const invitation = await manager.findOneBy(FirmInvitationEntity, where);
    if (!invitation) {
      await this.limits.consumeUnknownId(sender);
      throw UNKNOWN_INVITATION;
    }
    const user = await manager.findOneByOrFail(UserEntity, { id: userId });
    if (user.email.toLowerCase() !== invitation.email)
      throw new AppError(
        'FORBIDDEN',
        () => t`This invitation was sent to another email address. Sign in with the account of that address.`,
      );
    return invitation;
  }

  private async describe({ firmId: id, role }: FirmMemberEntity): Promise<Firm> {
    const { manager } = this.dataSource;
    const firm = await manager.findOneBy(FirmEntity, { id });
    // The firm was closed in the meantime.
    if (!firm) throw notAMember();
    const rows: MemberRow[] = await manager.query(MEMBERS_OF_FIRM, [id]);
    const open = { firmId: id, expiresAt: MoreThan(this.now()) };
    const invitations =
      role === 'owner' ? await manager.find(FirmInvitationEntity, { where: open, order: { createdAt: 'ASC' } }) : [];
    return {
      ...{ id, name: firm.name, address: firm.address, gstin: firm.gstin, role },
      members: rows
        .filter((row) => !row.left_at)
        .map((row) => ({ id: row.id, name: row.name, role: row.role, joinedAt: row.joined_at.toISOString() })),
      formerMembers: rows.filter((row) => row.left_at).map((row) => ({ id: row.id, name: row.name })),
      invitations: invitations.map((each) => ({
        ...{ id: each.id, email: each.email, role: each.role },
        expiresAt: each.expiresAt.toISOString(),
      })),
      planEndsAt: (await this.access.planEnd(id))?.toISOString() ?? null,
      canWrite: await this.access.canWrite(id),
    };
  }

  private record(manager: EntityManager, event: AuditEvent): Promise<void> {
    return recordAuditEvent(manager, event, this.now());
  }
}

async function deleteFirms(manager: EntityManager, firmIds: readonly string[]): Promise<void> {
  for (const statement of DELETE_FIRMS) await manager.query(statement, [firmIds]);
}

/**
 * Erased accounts leave their firms. A firm without a member is deleted with its records; one without an owner goes to the
 * member who joined first.
 */
export async function eraseMembers(manager: EntityManager, userIds: readonly string[], now: Date): Promise<void> {
  const [left]: [{ firm_id: string }[], number] = await manager.query(LEAVE_ALL_FIRMS, [userIds, now]);
  const firmIds = left.map(({ firm_id: id }) => id);
  const empty: { id: string }[] = await manager.query(EMPTY_FIRMS, [firmIds]);
  await deleteFirms(
    manager,
    empty.map(({ id }) => id),
  );
  await manager.query(HAND_OVER, [firmIds]);
}
