import { Injectable } from '@nestjs/common';
import type { OutboxRequest, OutboxResponse, PendingSearchChange } from '@nivida/contract/sync/outbox';
import { FollowedOfficesService } from '../awards/followed-offices.service.ts';
import { AppError } from '../base/app-error.ts';
import { BookmarksService } from '../bookmarks/bookmarks.service.ts';
import { SearchesService } from '../searches/searches.service.ts';

/** Applies the changes that a device sends while its app is closed, by the rules of the app's own calls. */
@Injectable()
export class DeviceChangesService {
  constructor(
    private readonly bookmarks: BookmarksService,
    private readonly searches: SearchesService,
    private readonly offices: FollowedOfficesService,
  ) {}

  /** Applies the changes; refused ones are left out of the answer. */
  async apply(userId: string, { bookmarks, searches, offices }: OutboxRequest): Promise<OutboxResponse> {
    const { results } = bookmarks.length > 0 ? await this.bookmarks.sync(userId, bookmarks) : { results: [] };
    const tenderIds = results.filter(({ result }) => result === 'accepted').map(({ tenderId }) => tenderId);
    const searchIds: string[] = [];
    for (const change of searches) {
      if (await this.applySearch(userId, change)) searchIds.push(change.search.id);
    }
    const officeIds: string[] = [];
    for (const { officeId, wanted } of offices) {
      if (await this.applyOffice(userId, officeId, wanted)) officeIds.push(officeId);
    }
    return { tenderIds, searchIds, officeIds };
  }

  /** True when the change is applied; the app learns why another one is not. */
  private async applyOffice(userId: string, officeId: string, wanted: boolean): Promise<boolean> {
    try {
      await this.offices[wanted ? 'follow' : 'unfollow'](userId, officeId);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return false;
    }
  }

  /** True when the change is applied. A search that another device has deleted counts as opened and as deleted. */
  private async applySearch(userId: string, { wanted, search }: PendingSearchChange): Promise<boolean> {
    const { id, name, openedUpTo } = search;
    try {
      if (wanted === 'deleted') await this.searches.remove(userId, id);
      else if (wanted === 'opened') await this.searches.change(userId, id, { openedUpTo });
      else {
        await this.searches.add(userId, search);
        await this.searches.change(userId, id, { name, openedUpTo });
      }
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return error.code === 'NOT_FOUND' && wanted !== 'kept';
    }
  }
}
