import { Inject, Injectable } from '@nestjs/common';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import type { Notice, NoticeListResponse, PushEventRequest, ReadNoticesRequest } from '@nivida/contract/push/push';
import { DAY_MS } from '@nivida/contract/time';
import { DataSource } from 'typeorm';
import { signInRequired } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { sha256Hex } from '../../http/security/cookies.ts';
import { rowName } from '../messages/message-texts.ts';
import { checklistPath } from '../messages/push-messages.ts';
import type { AssignmentDetail } from '../sending/delivery.ts';
import type { PushCaller } from '../subscriptions/push-caller.guard.ts';
import {
  countPushEvent,
  MARK_READ,
  NOTICES_PAGE,
  NOTICES_PER_PAGE,
  RECIPIENT_OF_DEVICE,
  UNREAD_COUNT,
} from './notices.sql.ts';

const LIST_PERIOD_MS = 30 * DAY_MS;
/** Longer than a reminder comes before its event. */
const AHEAD_MS = 2 * DAY_MS;

interface NoticeRow {
  id: string;
  kind: Notice['kind'];
  version: number;
  works: number;
  detail:
    | ({
        fields?: string[];
        oldClosing?: string;
        newClosing?: string;
        officeId?: string;
        officeName?: string;
      } & Partial<AssignmentDetail>)
    | null;
  search_ids: string[];
  created_at: Date;
  read_at: Date | null;
  /** Null, with the fields of the tender, for an assignment. */
  tender_id: number | null;
  title: string | null;
  closes_at: Date | null;
  closing_time_known: boolean | null;
}

/** The inbox: all notices of a recipient, whether or not a push was sent. */
@Injectable()
export class NoticesService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * A page of 100 notices of the last 30 days that are older than `before`. Rows of checklists have their names in `language`.
   * UNAUTHENTICATED with neither session nor secret.
   */
  async list(caller: PushCaller, language: Language, before?: string): Promise<NoticeListResponse> {
    const recipient = await this.resolveRecipient(caller);
    const now = this.now().getTime();
    const listed = [recipient, new Date(now - LIST_PERIOD_MS), new Date(now + AHEAD_MS)];
    const rows: NoticeRow[] = await this.dataSource.query(NOTICES_PAGE, [...listed, before ?? null]);
    const [{ unread }] = await this.dataSource.query(UNREAD_COUNT, listed);
    const page = rows.slice(0, NOTICES_PER_PAGE);
    return {
      notices: inLanguage(language, () => page.map(toNotice)),
      unread,
      next: rows.length > NOTICES_PER_PAGE ? (page.at(-1)?.id ?? null) : null,
    };
  }

  /** Marks notices of the caller as read; other ids are ignored. */
  async markRead(caller: PushCaller, { ids = [], upTo }: ReadNoticesRequest): Promise<void> {
    await this.dataSource.query(MARK_READ, [await this.resolveRecipient(caller), ids, upTo ?? null, this.now()]);
  }

  /** Counts a click or dismissal once. The recipient is not stored. */
  async recordPushEvent({ nid, ev }: PushEventRequest): Promise<void> {
    await this.dataSource.query(countPushEvent(ev), [nid]);
  }

  private async resolveRecipient({ user, secret }: PushCaller): Promise<string> {
    if (user) return user.id;
    const [row]: { recipient: string }[] =
      secret === undefined
        ? []
        : // A user's notices need a session.
          await this.dataSource.query(RECIPIENT_OF_DEVICE, [sha256Hex(secret)]);
    if (!row) throw signInRequired();
    return row.recipient;
  }
}

function toNotice(row: NoticeRow): Notice {
  const detail = row.detail ?? {};
  const { oldClosing, newClosing, fields = [], officeId, officeName } = detail;
  const tenderId = String(row.tender_id ?? detail.tenderId ?? detail.bidId ?? '');
  return {
    id: row.id,
    kind: row.kind,
    at: row.created_at.toISOString(),
    readAt: row.read_at?.toISOString() ?? null,
    tenderId,
    title: row.title ?? detail.title ?? '',
    closingDate: (row.closes_at ?? row.created_at).toISOString(),
    closingTimeKnown: row.closing_time_known ?? false,
    works: row.works,
    patch: oldClosing && newClosing ? { tenderId, version: row.version, oldClosing, newClosing } : null,
    fields,
    searchIds: row.search_ids,
    office: officeId && officeName ? { id: officeId, name: officeName } : null,
    ...(row.kind === 'assigned' && {
      assignment: { row: rowName(detail.row), firm: detail.firm ?? '', path: checklistPath(detail) },
    }),
  };
}
