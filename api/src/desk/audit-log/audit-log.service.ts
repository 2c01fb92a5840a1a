import { Injectable } from '@nestjs/common';
import { type AuditLogQuery, type AuditLogResponse, COMMAND_ACTOR } from '@nivida/contract/desk/audit-log';
import { startOfIndianDay } from '@nivida/contract/format';
import { dayNumber } from '@nivida/contract/time';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { UUID_REGEX } from 'valibot';
import { AuditEntity } from '../../audit/audit.entity.ts';
import { UserEntity } from '../../auth/user.entity.ts';

const EVENTS_PER_PAGE = 50;

/** Reads the audit log. */
@Injectable()
export class AuditLogService {
  constructor(private readonly dataSource: DataSource) {}

  /** A page of 50 events, newest first. */
  async list(filter: Partial<AuditLogQuery>): Promise<AuditLogResponse> {
    const { actor = '', subject = '', action = '', from = '', to = '', before = '' } = filter;
    const query = this.events();
    // An actor is the id of an account; another text is no actor.
    if (actor === COMMAND_ACTOR) query.andWhere("event.actorId IS NULL AND event.detail ? 'reason'");
    else if (actor) query.andWhere('event.actorId = :actor', { actor: UUID_REGEX.test(actor) ? actor : NO_ACTOR });
    if (subject) query.andWhere('event.subject = :subject', { subject });
    if (action) query.andWhere('(event.action = :action OR starts_with(event.action, :object))', objectOf(action));
    if (from) query.andWhere('event.at >= :begin', { begin: startOfIndianDay(dayNumber(from)) });
    if (to) query.andWhere('event.at < :end', { end: startOfIndianDay(dayNumber(to) + 1) });
    if (before) query.andWhere('event.id < :before', { before });
    const events = await toListed(query.limit(EVENTS_PER_PAGE + 1));
    const next = events.length > EVENTS_PER_PAGE ? (events[EVENTS_PER_PAGE - 1]?.id ?? null) : null;
    return { events: events.slice(0, EVENTS_PER_PAGE), next };
  }

  /** The newest events about an account or by it. */
  about(userId: string, limit: number): Promise<AuditLogResponse['events']> {
    const query = this.events().where('event.subject = :userId OR event.actorId = :id', { userId, id: userId });
    return toListed(query.limit(limit));
  }

  private events(): SelectQueryBuilder<AuditEntity> {
    return this.dataSource
      .getRepository(AuditEntity)
      .createQueryBuilder('event')
      .leftJoin(UserEntity, 'account', 'account.id = event.actorId')
      .select('event.id', 'id')
      .addSelect('event.at', 'at')
      .addSelect('event.action', 'action')
      .addSelect('event.actorId', 'actorId')
      .addSelect('account.username', 'actorName')
      .addSelect('event.subject', 'subject')
      .addSelect('event.detail', 'detail')
      .addSelect('event.requestId', 'requestId')
      .orderBy('event.id', 'DESC');
  }
}

const NO_ACTOR = '00000000-0000-0000-0000-000000000000';

/** `account` and `account.` stand for all actions of an object. */
const objectOf = (action: string) => ({ action, object: action.endsWith('.') ? action : `${action}.` });

async function toListed(query: SelectQueryBuilder<AuditEntity>): Promise<AuditLogResponse['events']> {
  const rows = await query.getRawMany<Omit<AuditLogResponse['events'][number], 'at'> & { at: Date }>();
  return rows.map(({ at, ...event }) => ({ ...event, at: at.toISOString() }));
}
