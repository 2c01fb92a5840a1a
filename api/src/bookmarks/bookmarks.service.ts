import { Inject, Injectable } from '@nestjs/common';
import { MAX_BOOKMARKS, type Wish, type WishAnswer } from '@nivida/contract/bookmark';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../http/app-error.ts';
import { CLOCK } from '../http/tokens.ts';
import { TendersService } from '../tenders/tenders.service.ts';

const LARGEST_ID = 2_147_483_647;

const UNKNOWN = new AppError('NOT_FOUND', 'Tender not found');
const FULL = new AppError('CONFLICT', 'You can keep at most 1,000 bookmarks');

/** Why a wish for a tender was not fulfilled; undefined when it was. */
type Refusal = AppError | undefined;

/** The bookmarks of one user at a time; nothing here takes a user's id from a request's body or address. */
@Injectable()
export class BookmarksService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(TendersService) private readonly tenders: TendersService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The bookmarked tenders as the JSON of a BookmarkList. */
  async list(userId: string): Promise<string> {
    const ids = await readIds(this.dataSource.manager, userId);
    const { rows, total } = await this.tenders.summaries(ids);
    return `{"tenders":${rows},"data":${rows},"total":${total}}`;
  }

  /** Keeps a tender; already kept it stays where it is. NOT_FOUND for unknown ids and drafts, CONFLICT at the limit. */
  async add(userId: string, tenderId: string): Promise<void> {
    const { refusals } = await this.fulfil(userId, new Map([[toNumber(tenderId), true]]));
    for (const refusal of refusals.values()) if (refusal) throw refusal;
  }

  /** Lets a tender go, kept or not. NOT_FOUND for unknown ids and drafts. */
  async remove(userId: string, tenderId: string): Promise<void> {
    const id = toNumber(tenderId);
    const { total } = await this.tenders.summaries([id]);
    if (total === 0) throw UNKNOWN;
    await this.fulfil(userId, new Map([[id, false]]));
  }

  /** Fulfils what a device has collected; doing it again changes nothing. */
  async sync(userId: string, wishes: Wish[]): Promise<WishAnswer> {
    const last = new Map(wishes.map(({ tenderId, wanted }) => [toNumber(tenderId), wanted]));
    const { refusals, ids } = await this.fulfil(userId, last);
    return {
      results: wishes.map(({ tenderId }) => {
        const refusal = refusals.get(toNumber(tenderId));
        return refusal ? { tenderId, result: 'rejected', message: refusal.message } : { tenderId, result: 'accepted' };
      }),
      tenderIds: ids.map(String),
    };
  }

  /** One transaction for all wishes of a user, by tender; removals first, so that they make room under the limit. */
  private fulfil(userId: string, wishes: ReadonlyMap<number, boolean>) {
    const wanted = [...wishes.keys()].filter((id) => wishes.get(id));
    const unwanted = [...wishes.keys()].filter((id) => !wishes.get(id));
    return this.dataSource.transaction(async (manager) => {
      // One at a time for each user: two that count at once would both find room for the last bookmark.
      const found = await manager.query('SELECT 1 FROM account WHERE id = $1 FOR NO KEY UPDATE', [userId]);
      if (found.length === 0) throw new AppError('UNAUTHENTICATED', 'Please sign in');
      await manager.query('DELETE FROM bookmark WHERE user_id = $1 AND tender_id = ANY($2)', [userId, unwanted]);
      const refusals = await this.keep(manager, userId, wanted);
      return { refusals, ids: await readIds(manager, userId) };
    });
  }

  private async keep(manager: EntityManager, userId: string, wanted: number[]): Promise<Map<number, Refusal>> {
    const now = this.now();
    // Held until the end: an import that removes the tender meanwhile waits and then takes its bookmark along.
    const rows: { id: number }[] = await manager.query(
      'SELECT id FROM tender WHERE id = ANY($1) AND published_at <= $2 ORDER BY id FOR KEY SHARE',
      [wanted, now],
    );
    const known = new Set(rows.map(({ id }) => id));
    const held = new Set(await readIds(manager, userId));
    const refusals = new Map<number, Refusal>();
    const added: number[] = [];
    for (const id of wanted) {
      if (held.has(id)) continue;
      if (!known.has(id)) refusals.set(id, UNKNOWN);
      else if (held.size + added.length >= MAX_BOOKMARKS) refusals.set(id, FULL);
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
async function readIds(manager: EntityManager, userId: string): Promise<number[]> {
  const rows: { tender_id: number }[] = await manager.query(
    'SELECT tender_id FROM bookmark WHERE user_id = $1 ORDER BY bookmark_no DESC',
    [userId],
  );
  return rows.map(({ tender_id }) => tender_id);
}

/** The row number of a tender id; 0, which no tender has, for what cannot be one. */
function toNumber(tenderId: string): number {
  const number = /^\d{1,10}$/.test(tenderId) ? Number(tenderId) : 0;
  return number <= LARGEST_ID ? number : 0;
}
