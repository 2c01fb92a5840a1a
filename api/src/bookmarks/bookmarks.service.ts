import { Inject, Injectable } from '@nestjs/common';
import { type BookmarkChange, type BookmarkSyncResponse, MAX_BOOKMARKS } from '@nivida/contract/tenders/bookmark';
import { DataSource, type EntityManager } from 'typeorm';
import { lockAccount } from '../database/locks.ts';
import { AppError } from '../http/errors/app-error.ts';
import { CLOCK } from '../http/injection-tokens.ts';
import { TendersService } from '../tenders/tenders.service.ts';

const MAX_INTEGER_ID = 2_147_483_647;

const UNKNOWN_TENDER = new AppError('NOT_FOUND', 'Tender not found');
const TOO_MANY_BOOKMARKS = new AppError('CONFLICT', 'You can keep at most 1,000 bookmarks');

/** Why a wish for a tender was not fulfilled; undefined when it was. */
type BookmarkError = AppError | undefined;

/** The bookmarks of one user at a time; nothing here takes a user's id from a request's body or address. */
@Injectable()
export class BookmarksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tenders: TendersService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The bookmarked tenders as the JSON of a BookmarkList. */
  async list(userId: string): Promise<string> {
    const ids = await readBookmarkedIds(this.dataSource.manager, userId);
    const { rows, total } = await this.tenders.summaries(ids);
    return `{"tenders":${rows},"data":${rows},"total":${total}}`;
  }

  /** Keeps a tender; already kept it stays where it is. NOT_FOUND for unknown ids and drafts, CONFLICT at the limit. */
  async add(userId: string, tenderId: string): Promise<void> {
    const { refusals } = await this.applyChanges(userId, new Map([[toTenderId(tenderId), true]]));
    for (const refusal of refusals.values()) if (refusal) throw refusal;
  }

  /** Lets a tender go, kept or not. NOT_FOUND for unknown ids and drafts. */
  async remove(userId: string, tenderId: string): Promise<void> {
    const id = toTenderId(tenderId);
    const { total } = await this.tenders.summaries([id]);
    if (total === 0) throw UNKNOWN_TENDER;
    await this.applyChanges(userId, new Map([[id, false]]));
  }

  /** Fulfils what a device has collected; doing it again changes nothing. */
  async sync(userId: string, changes: BookmarkChange[]): Promise<BookmarkSyncResponse> {
    const last = new Map(changes.map(({ tenderId, wanted }) => [toTenderId(tenderId), wanted]));
    const { refusals, ids } = await this.applyChanges(userId, last);
    return {
      results: changes.map(({ tenderId }) => {
        const refusal = refusals.get(toTenderId(tenderId));
        return refusal ? { tenderId, result: 'rejected', message: refusal.message } : { tenderId, result: 'accepted' };
      }),
      tenderIds: ids.map(String),
    };
  }

  /** One transaction for all wishes of a user, by tender; removals first, so that they make room under the limit. */
  private applyChanges(userId: string, changes: ReadonlyMap<number, boolean>) {
    const idsToAdd = [...changes.keys()].filter((id) => changes.get(id));
    const unwanted = [...changes.keys()].filter((id) => !changes.get(id));
    return this.dataSource.transaction(async (manager) => {
      // One at a time for each user: two that count at once would both find room for the last bookmark.
      await lockAccount(manager, userId);
      await manager.query('DELETE FROM bookmark WHERE user_id = $1 AND tender_id = ANY($2)', [userId, unwanted]);
      const refusals = await this.insertBookmarks(manager, userId, idsToAdd);
      return { refusals, ids: await readBookmarkedIds(manager, userId) };
    });
  }

  private async insertBookmarks(
    manager: EntityManager,
    userId: string,
    tenderIds: number[],
  ): Promise<Map<number, BookmarkError>> {
    const now = this.now();
    // Held until the end: an import that removes the tender meanwhile waits and then takes its bookmark along.
    const rows: { id: number }[] = await manager.query(
      'SELECT id FROM tender WHERE id = ANY($1) AND published_at <= $2 ORDER BY id FOR KEY SHARE',
      [tenderIds, now],
    );
    const known = new Set(rows.map(({ id }) => id));
    const bookmarked = new Set(await readBookmarkedIds(manager, userId));
    const refusals = new Map<number, BookmarkError>();
    const added: number[] = [];
    for (const id of tenderIds) {
      if (bookmarked.has(id)) continue;
      if (!known.has(id)) refusals.set(id, UNKNOWN_TENDER);
      else if (bookmarked.size + added.length >= MAX_BOOKMARKS) refusals.set(id, TOO_MANY_BOOKMARKS);
      else added.push(id);
    }
    await manager.query(
      `INSERT INTO bookmark (user_id, tender_id, bookmark_no, created_at)
       SELECT $1, id, nextval('bookmark_no'), $3 FROM unnest($2::int[]) WITH ORDINALITY added(id, nth) ORDER BY nth`,
      [userId, added, now],
    );
    return refusals;
  }
}

/** Tender ids of a user's bookmarks, the newest first. */
async function readBookmarkedIds(manager: EntityManager, userId: string): Promise<number[]> {
  const rows: { tender_id: number }[] = await manager.query(
    'SELECT tender_id FROM bookmark WHERE user_id = $1 ORDER BY bookmark_no DESC',
    [userId],
  );
  return rows.map(({ tender_id }) => tender_id);
}

/** The row number of a tender id; 0, which no tender has, for what cannot be one. */
function toTenderId(tenderId: string): number {
  const number = /^\d{1,10}$/.test(tenderId) ? Number(tenderId) : 0;
  return number <= MAX_INTEGER_ID ? number : 0;
}
