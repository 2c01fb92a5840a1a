import { randomUUID } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { formatDateTime } from '@nivida/contract/format';
import { DAY_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { UUID_REGEX } from 'valibot';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { ActProposalEntity, type ProposedAct } from '../../auth/staff/act-proposal.entity.ts';
import { UserEntity } from '../../auth/user.entity.ts';
import { AppError } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { takeNamedLock } from '../../database/locks.sql.ts';

/** How long a second person may confirm an act. */
const OPEN_FOR_MS = DAY_MS;

/** An act of a member of staff; a command on the server proposes nothing. */
type StaffAct = OperatorAct & { actorId: string };

/** What a confirmed act does. */
export interface ProposalHandler {
  /** Does the act for the person who proposed it, in the transaction that confirms it. Throws when it is not possible any more. */
  carryOut: (manager: EntityManager, proposal: ActProposalEntity, confirmedBy: OperatorAct) => Promise<void>;
  /** Called after the transaction, for work that waits for other servers. */
  afterwards?: (proposal: ActProposalEntity) => Promise<void>;
}

/** An open proposal as the desk shows it. */
export interface OpenProposal {
  id: string;
  act: ProposedAct;
  subject: string;
  reason: string;
  /** Name of the member of staff who proposed it. */
  proposedBy: string;
  proposedById: string;
  proposedAt: Date;
  expiresAt: Date;
}

/**
 * Acts that need two people: one proposes, another one confirms within 24 hours. The feature of an act says by `handle` what
 * a confirmed one does.
 */
@Injectable()
export class ApprovalsService {
  private readonly handlers = new Map<ProposedAct, ProposalHandler>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Says what a confirmed act does. Called once per act, in a constructor. */
  handle(act: ProposedAct, handler: ProposalHandler): void {
    this.handlers.set(act, handler);
  }

  /** Proposes an act; `detail` goes into the audit event. CONFLICT when one waits already, with its author. */
  async propose(
    act: ProposedAct,
    subject: string,
    by: OperatorAct,
    detail: Record<string, string | number> = {},
  ): Promise<ActProposalEntity> {
    const { actorId, reason } = assertStaff(by);
    const now = this.now();
    return this.dataSource.transaction(async (manager) => {
      const proposals = manager.getRepository(ActProposalEntity);
      await takeNamedLock(manager, `${act} ${subject}`);
      const open = await proposals.findOneBy({ act, subject, decidedAt: IsNull() });
      if (open && open.expiresAt > now) {
        const name = await this.nameOf(manager, open.proposedBy);
        throw new AppError(
          'CONFLICT',
          () =>
            t`${name} has proposed this already, on ${{ time: formatDateTime(open.proposedAt) }}. It waits for a second person.`,
        );
      }
      if (open) await proposals.update(open.id, { decision: 'withdrawn', decidedBy: open.proposedBy, decidedAt: now });
      const expiresAt = new Date(now.getTime() + OPEN_FOR_MS);
      const proposal = { id: randomUUID(), act, subject, reason, proposedBy: actorId, proposedAt: now, expiresAt };
      await proposals.insert(proposal);
      const change = { action: `${act}.proposed`, subject, detail: { ...detail, proposal: proposal.id } };
      await recordAct(manager, by, change, now);
      return proposals.findOneByOrFail({ id: proposal.id });
    });
  }

  /** Confirms an act of another person and does it, or nothing. FORBIDDEN for its author; see `decide`. */
  async confirm(id: string, by: OperatorAct): Promise<ActProposalEntity> {
    const proposal = await this.decide(id, by, 'confirmed', async (manager, found, staff) => {
      if (found.proposedBy === staff.actorId)
        throw new AppError('FORBIDDEN', () => t`You proposed this yourself. Another person confirms it.`);
      await this.handlerOf(found.act).carryOut(manager, found, staff);
    });
    await this.handlerOf(proposal.act).afterwards?.(proposal);
    return proposal;
  }

  /** Refuses an act of another person. FORBIDDEN for its author; see `decide`. */
  refuse(id: string, by: OperatorAct): Promise<ActProposalEntity> {
    return this.decide(id, by, 'refused', async (_manager, found, { actorId }) => {
      if (found.proposedBy === actorId)
        throw new AppError('FORBIDDEN', () => t`You proposed this yourself. Withdraw it instead.`);
    });
  }

  /** Takes back an own proposal. FORBIDDEN for other people; see `decide`. */
  withdraw(id: string, by: OperatorAct): Promise<ActProposalEntity> {
    return this.decide(id, by, 'withdrawn', async (_manager, found, { actorId }) => {
      if (found.proposedBy !== actorId)
        throw new AppError('FORBIDDEN', () => t`Only the person who proposed this can withdraw it. Refuse it instead.`);
    });
  }

  /** What waits for a second person, oldest first. */
  async listOpen(): Promise<OpenProposal[]> {
    return this.dataSource
      .getRepository(ActProposalEntity)
      .createQueryBuilder('proposal')
      .leftJoin(UserEntity, 'account', 'account.id = proposal.proposedBy')
      .select('proposal.id', 'id')
      .addSelect('proposal.act', 'act')
      .addSelect('proposal.subject', 'subject')
      .addSelect('proposal.reason', 'reason')
      .addSelect("coalesce(account.username, '')", 'proposedBy')
      .addSelect('proposal.proposedBy', 'proposedById')
      .addSelect('proposal.proposedAt', 'proposedAt')
      .addSelect('proposal.expiresAt', 'expiresAt')
      .where('proposal.decidedAt IS NULL AND proposal.expiresAt > :now', { now: this.now() })
      .orderBy('proposal.proposedAt')
      .getRawMany<OpenProposal>();
  }

  /** The open proposal of an act; null for none. */
  async findOpen(act: ProposedAct, subject: string): Promise<OpenProposal | null> {
    const open = await this.listOpen();
    return open.find((each) => each.act === act && each.subject === subject) ?? null;
  }

  /** Decides an open proposal. NOT_FOUND; CONFLICT when it is decided, with who did it, or too old. */
  private async decide(
    id: string,
    by: OperatorAct,
    decision: 'confirmed' | 'refused' | 'withdrawn',
    work: (manager: EntityManager, found: ActProposalEntity, by: StaffAct) => Promise<void>,
  ): Promise<ActProposalEntity> {
    const staff = assertStaff(by);
    const now = this.now();
    return this.dataSource.transaction(async (manager) => {
      const proposals = manager.getRepository(ActProposalEntity);
      const found = UUID_REGEX.test(id)
        ? await proposals.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } })
        : null;
      if (!found) throw new AppError('NOT_FOUND', () => t`This proposal does not exist`);
      if (found.decidedAt) {
        const { decidedAt } = found;
        const name = await this.nameOf(manager, found.decidedBy ?? '');
        throw new AppError(
          'CONFLICT',
          () => t`${name} decided this already, on ${{ time: formatDateTime(decidedAt) }}.`,
        );
      }
      if (found.expiresAt <= now)
        throw new AppError('CONFLICT', () => t`This was proposed more than 24 hours ago. Propose it again.`);
      await work(manager, found, staff);
      await proposals.update(id, { decision, decidedBy: staff.actorId, decidedAt: now });
      const change = { action: `${found.act}.${decision}`, subject: found.subject, detail: { proposal: id } };
      await recordAct(manager, staff, change, now);
      return found;
    });
  }

  private handlerOf(act: ProposedAct): ProposalHandler {
    const handler = this.handlers.get(act);
    if (!handler) throw new Error(`Nothing carries out ${act}`);
    return handler;
  }

  private async nameOf(manager: EntityManager, id: string): Promise<string> {
    return (await manager.getRepository(UserEntity).findOneBy({ id }))?.username ?? '';
  }
}

function assertStaff(act: OperatorAct): StaffAct {
  if (act.actorId === null) throw new Error('Only members of staff propose and confirm acts');
  return { ...act, actorId: act.actorId };
}
