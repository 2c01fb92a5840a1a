import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import {
  type CreateSavedSearchRequest,
  type SavedSearch,
  type UpdateSavedSearchRequest,
} from '@nivida/contract/filter/saved-search';
import { MAX_SEARCHES } from '@nivida/contract/limits';
import { DataSource } from 'typeorm';
import { UUID_REGEX } from 'valibot';
import { AppError } from '../base/app-error.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { lockAccount } from '../database/locks.sql.ts';
import { SavedSearchEntity } from './saved-search.entity.ts';
import { UPDATE_SEARCH } from './searches.sql.ts';

const searchNotFound = () => new AppError('NOT_FOUND', () => t`Saved search not found`);

/** The saved searches of one user. */
@Injectable()
export class SearchesService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** A user's searches, newest first. */
  async list(userId: string): Promise<SavedSearch[]> {
    const rows = await this.dataSource.getRepository(SavedSearchEntity).find({
      where: { userId },
      order: { searchNo: 'DESC' },
    });
    return rows.map(toSavedSearch);
  }

  /**
   * Saves a search under the id that the device generated; idempotent. CONFLICT for the 51st search and, with the same
   * message, for an id of another user.
   */
  async add(userId: string, { id, name, filter, openedUpTo }: CreateSavedSearchRequest): Promise<SavedSearch> {
    return this.dataSource.transaction(async (manager) => {
      await lockAccount(manager, userId);
      const searches = manager.getRepository(SavedSearchEntity);
      const existing = await searches.findOneBy({ id });
      if (existing?.userId === userId) return toSavedSearch(existing);
      if (existing || (await searches.countBy({ userId })) >= MAX_SEARCHES) {
        throw new AppError('CONFLICT', () => t`You can have at most ${{ max: MAX_SEARCHES }} saved searches`);
      }
      const row = { id, userId, name, filter, openedUpTo, createdAt: this.now() };
      await searches.insert(row);
      return toSavedSearch(row);
    });
  }

  /** Renames a search or raises `openedUpTo`. NOT_FOUND unless it is the user's. */
  async change(userId: string, id: string, { name, openedUpTo }: UpdateSavedSearchRequest): Promise<SavedSearch> {
    const [rows]: [SavedSearchEntity[], number] = await this.dataSource.query(UPDATE_SEARCH, [
      userId,
      toUuid(id),
      name ?? null,
      openedUpTo ?? 0,
    ]);
    if (!rows[0]) throw searchNotFound();
    return toSavedSearch(rows[0]);
  }

  /** Deletes a search. NOT_FOUND unless it is the user's. */
  async remove(userId: string, id: string): Promise<void> {
    const { affected } = await this.dataSource.getRepository(SavedSearchEntity).delete({ id: toUuid(id), userId });
    if (!affected) throw searchNotFound();
  }
}

/** The id; NOT_FOUND for invalid text. */
function toUuid(id: string): string {
  if (!UUID_REGEX.test(id)) throw searchNotFound();
  return id;
}

function toSavedSearch(
  row: Pick<SavedSearchEntity, 'id' | 'name' | 'filter' | 'openedUpTo' | 'createdAt'>,
): SavedSearch {
  const { id, name, filter, openedUpTo, createdAt } = row;
  return { id, name, filter, openedUpTo, createdAt: createdAt.toISOString() };
}
