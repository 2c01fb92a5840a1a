import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { Language } from '@nivida/contract/languages';
import { MAX_BOOKMARKS, MAX_INTEGER_ID } from '@nivida/contract/limits';
import { type BookmarkChange, type BookmarkSyncResponse } from '@nivida/contract/tenders/bookmark';
import { DataSource, type EntityManager, In } from 'typeorm';
import { AppError, tenderNotFound } from '../base/app-error.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { BidRecordsService } from '../bids/bid-records.service.ts';
import { lockAccount, lockPublishedTenders } from '../database/locks.sql.ts';
import { TendersService } from '../tenders/tenders.service.ts';
import { BookmarkEntity } from './bookmark.entity.ts';

const UNKNOWN_TENDER = tenderNotFound();
const TOO_MANY_BOOKMARKS = new AppError('CONFLICT', () => t`You can have at most 1,000 bookmarks`);

/** The bookmarks of one user. The caller takes the user's id from the session, never from a body or URL. */
@Injectable()
export class BookmarksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tenders: TendersService,
    private readonly records: BidRecordsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The bookmarked tenders as the JSON of a BookmarkList. */
  async list(userId: string): Promise<string> {
    const { rows, total } = await this.tenders.bookmarked(userId);
    return `{"tenders":${rows},"data":${rows},"total":${total}}`;
  }

  /** Bookmarks a tender. An existing bookmark keeps its place. NOT_FOUND for unknown ids and drafts, CONFLICT at the limit. */
  async add(userId: string, tenderId: string): Promise<void> {
    const { rejections } = await this.applyChanges(userId, new Map([[toTenderId(tenderId), true]]));
    for (const rejection of rejections.values()) throw rejection;
  }

  /** Removes a bookmark if there is one. NOT_FOUND for unknown ids and drafts. */
  async remove(userId: string, tenderId: string): Promise<void> {
    const id = toTenderId(tenderId);
    await this.dataSource.transaction(async (manager) => {
      const known = await lockPublishedTenders(manager, [id], this.now());
      if (known.length === 0) throw UNKNOWN_TENDER;
      await manager.getRepository(BookmarkEntity).delete({ userId, tenderId: id });
    });
  }

  /** Applies the pending changes of a device; idempotent. Refusals are in `language`. */
  async sync(userId: string, changes: BookmarkChange[], language: Language): Promise<BookmarkSyncResponse> {
    const last = new Map(changes.map(({ tenderId, wanted }) => [toTenderId(tenderId), wanted]));
    const [{ rejections, ids }, recordsCursor] = await Promise.all([
      this.applyChanges(userId, last),
      this.records.newestCursor(userId),
    ]);
    return {
      results: changes.map(({ tenderId }) => {
        const rejection = rejections.get(toTenderId(tenderId));
        return rejection
          ? { tenderId, result: 'rejected', ...rejection.textsIn(language) }
          : { tenderId, result: 'accepted' };
      }),
      tenderIds: ids.map(String),
      ...(recordsCursor !== undefined && { recordsCursor }),
    };
  }

  /** Applies changes by tender id in one transaction. Removals come first, to make room under the limit. */
  private applyChanges(userId: string, changes: ReadonlyMap<number, boolean>) {
    const wanted = [...changes.keys()].filter((id) => changes.get(id));
    const unwanted = [...changes.keys()].filter((id) => !changes.get(id));
    return this.dataSource.transaction(async (manager) => {
      // Parallel calls must not exceed the limit together.
      await lockAccount(manager, userId);
      if (unwanted.length > 0) await manager.getRepository(BookmarkEntity).delete({ userId, tenderId: In(unwanted) });
      const ids = await readBookmarkedIds(manager, userId);
      const { added, rejections } = await this.insertBookmarks(manager, userId, wanted, new Set(ids));
      return { rejections, ids: [...added.reverse(), ...ids] };
    });
  }

  /** Adds bookmarks to those that the user has; returns the ids of the new ones in the order of `tenderIds`. */
  private async insertBookmarks(
    manager: EntityManager,
    userId: string,
    tenderIds: number[],
    bookmarked: ReadonlySet<number>,
  ): Promise<{ added: number[]; rejections: Map<number, AppError> }> {
    const now = this.now();
    const added: number[] = [];
    const rejections = new Map<number, AppError>();
    const asked = tenderIds.filter((id) => !bookmarked.has(id));
    const known = new Set(asked.length > 0 ? await lockPublishedTenders(manager, asked, now) : []);
    for (const id of asked) {
      if (!known.has(id)) rejections.set(id, UNKNOWN_TENDER);
      else if (bookmarked.size + added.length >= MAX_BOOKMARKS) rejections.set(id, TOO_MANY_BOOKMARKS);
      else added.push(id);
    }
    const bookmarks = added.map((tenderId) => ({
      userId,
      tenderId,
      bookmarkNo: () => "nextval('bookmark_no')",
      createdAt: now,
    }));
    if (bookmarks.length > 0) await manager.getRepository(BookmarkEntity).insert(bookmarks);
    return { added, rejections };
  }
}

/** Tender ids of a user's bookmarks, newest first. */
async function readBookmarkedIds(manager: EntityManager, userId: string): Promise<number[]> {
  const rows = await manager
    .getRepository(BookmarkEntity)
    .find({ select: { tenderId: true }, where: { userId }, order: { bookmarkNo: 'DESC' } });
  return rows.map(({ tenderId }) => tenderId);
}

/** The numeric tender id. Invalid text gives 0, which no tender has. */
function toTenderId(tenderId: string): number {
  const number = /^\d{1,10}$/.test(tenderId) ? Number(tenderId) : 0;
  return number <= MAX_INTEGER_ID ? number : 0;
}
