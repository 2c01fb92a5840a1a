import { Inject, Injectable } from '@nestjs/common';
import type { Notice, NoticeListResponse, PushEventRequest, ReadNoticesRequest } from '@nivida/contract/push/push';
import { DataSource } from 'typeorm';
import { AppError } from '../../http/errors/app-error.ts';
import { CLOCK } from '../../http/injection-tokens.ts';
import { sha256Hex } from '../../http/security/cookies.ts';
import type { PushCaller } from '../subscriptions/push-caller.guard.ts';

const PAGE_SIZE = 100;
const LIST_PERIOD_MS = 30 * 86_400_000;

interface NoticeRow {
  id: string;
  kind: Notice['kind'];
  version: number;
  works: number;
  detail: { fields: string[]; oldClosing: string; newClosing: string } | null;
  search_ids: string[];
  created_at: Date;
  read_at: Date | null;
  tender_id: number;
  title: string;
  closes_at: Date;
  closing_time_known: boolean;
}

/** The inbox: all notices of a recipient, whether or not a push was sent. */
@Injectable()
export class NoticesService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** A page of 100 notices of the last 30 days, those older than `before`. UNAUTHENTICATED without session and secret. */
  async list(caller: PushCaller, before?: string): Promise<NoticeListResponse> {
    const recipient = await this.resolveRecipient(caller);
    const since = new Date(this.now().getTime() - LIST_PERIOD_MS);
    const rows: NoticeRow[] = await this.dataSource.query(
      `SELECT n.id, n.kind, n.version, n.works, n.detail, n.search_ids, n.created_at, n.read_at, n.tender_id, t.title,
         t.closes_at, t.closing_time_known
       FROM notice n JOIN tender t ON t.id = n.tender_id
       WHERE n.recipient = $1 AND n.state = 'due' AND n.created_at > $2 AND ($3::bigint IS NULL OR n.id < $3)
       ORDER BY n.id DESC LIMIT ${PAGE_SIZE + 1}`,
      [recipient, since, before ?? null],
    );
    const [{ unread }] = await this.dataSource.query(
      `SELECT count(*)::int AS unread FROM notice
       WHERE recipient = $1 AND state = 'due' AND created_at > $2 AND read_at IS NULL`,
      [recipient, since],
    );
    const page = rows.slice(0, PAGE_SIZE);
    return { notices: page.map(toNotice), unread, next: rows.length > PAGE_SIZE ? (page.at(-1)?.id ?? null) : null };
  }

  /** Marks notices of the caller as read; other ids are ignored. */
  async markRead(caller: PushCaller, { ids = [], upTo }: ReadNoticesRequest): Promise<void> {
    await this.dataSource.query(
      `UPDATE notice SET read_at = $4
       WHERE recipient = $1 AND state = 'due' AND (id = ANY($2) OR id <= $3) AND read_at IS NULL`,
      [await this.resolveRecipient(caller), ids, upTo ?? null, this.now()],
    );
  }

  /** Counts a click or dismissal once, without the recipient. */
  async recordPushEvent({ nid, ev }: PushEventRequest): Promise<void> {
    // `ev` is safe in SQL: the schema allows two values.
    await this.dataSource.query(
      `WITH counted AS (UPDATE push_receipt SET ${ev} = true WHERE nid = $1 AND NOT ${ev} RETURNING day, kind)
       UPDATE push_tally t SET ${ev} = t.${ev} + 1 FROM counted c WHERE t.day = c.day AND t.kind = c.kind`,
      [nid],
    );
  }

  private async resolveRecipient({ user, secret }: PushCaller): Promise<string> {
    if (user) return user.id;
    const [row]: { recipient: string }[] =
      secret === undefined
        ? []
        : // A user's notices need a session.
          await this.dataSource.query(
            'SELECT recipient FROM push_subscription WHERE secret_sha256 = $1 AND user_id IS NULL',
            [sha256Hex(secret)],
          );
    if (!row) throw new AppError('UNAUTHENTICATED', 'Please sign in');
    return row.recipient;
  }
}

function toNotice(row: NoticeRow): Notice {
  const { oldClosing, newClosing, fields = [] } = row.detail ?? {};
  const tenderId = String(row.tender_id);
  return {
    id: row.id,
    kind: row.kind,
    at: row.created_at.toISOString(),
    readAt: row.read_at?.toISOString() ?? null,
    tenderId,
    title: row.title,
    closingDate: row.closes_at.toISOString(),
    closingTimeKnown: row.closing_time_known,
    works: row.works,
    patch: oldClosing && newClosing ? { tenderId, version: row.version, oldClosing, newClosing } : null,
    fields,
    searchIds: row.search_ids,
  };
}
