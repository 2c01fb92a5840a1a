import { Injectable } from '@nestjs/common';
import type { Language } from '@nivida/contract/languages';
import type { ChangeResult, OutboxRequest, OutboxResponse, PendingSearchChange } from '@nivida/contract/sync/outbox';
import { FollowedOfficesService } from '../awards/followed-offices.service.ts';
import { AppError } from '../base/app-error.ts';
import { BidRecordsService } from '../bids/bid-records.service.ts';
import { BookmarksService } from '../bookmarks/bookmarks.service.ts';
import { FirmsService } from '../firms/firms.service.ts';
import { SearchesService } from '../searches/searches.service.ts';

/** Applies the pending changes of a device. A refused change does not stop the following ones. */
@Injectable()
export class DeviceChangesService {
  constructor(
    private readonly bookmarks: BookmarksService,
    private readonly searches: SearchesService,
    private readonly offices: FollowedOfficesService,
    private readonly firms: FirmsService,
    private readonly records: BidRecordsService,
  ) {}

  /** Applies the changes in their order; idempotent. Refusals are in `language`. */
  async apply(
    userId: string,
    { bookmarks, searches, offices }: OutboxRequest,
    language: Language,
  ): Promise<OutboxResponse> {
    const { results, tenderIds, recordsCursor } = await this.bookmarks.sync(userId, bookmarks, language);
    const searchResults: ChangeResult[] = [];
    for (const change of searches)
      searchResults.push(await resultOf(change.search.id, language, () => this.applySearch(userId, change)));
    const officeResults: ChangeResult[] = [];
    for (const { officeId, wanted } of offices)
      officeResults.push(
        await resultOf(officeId, language, () => this.offices[wanted ? 'follow' : 'unfollow'](userId, officeId)),
      );
    const firms = await this.firmCursors(userId);
    return {
      bookmarks: results.map(({ tenderId, message }) => ({
        id: tenderId,
        refusal: message === undefined ? null : { code: 'REFUSED', message },
      })),
      searches: searchResults,
      offices: officeResults,
      present: {
        tenderIds,
        searches: await this.searches.list(userId),
        offices: (await this.offices.list(userId)).offices,
        ...(recordsCursor !== undefined && { recordsCursor }),
        ...(firms.length > 0 && { firms }),
      },
    };
  }

  private async firmCursors(userId: string) {
    const firms: { id: string; recordsCursor?: string }[] = [];
    for (const id of await this.firms.ids(userId)) {
      const recordsCursor = await this.records.newestCursor(id);
      firms.push({ id, ...(recordsCursor !== undefined && { recordsCursor }) });
    }
    return firms;
  }

  /** Applies the change of a search. If another device has deleted it, 'opened' and 'deleted' succeed, and 'kept' saves it again. */
  private async applySearch(userId: string, { wanted, search }: PendingSearchChange): Promise<void> {
    const { id, name, openedUpTo } = search;
    if (wanted === 'kept') await this.searches.add(userId, search);
    try {
      if (wanted === 'deleted') await this.searches.remove(userId, id);
      else await this.searches.change(userId, id, wanted === 'kept' ? { name, openedUpTo } : { openedUpTo });
    } catch (error) {
      if (wanted === 'kept' || !(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
    }
  }
}

async function resultOf(id: string, language: Language, apply: () => Promise<unknown>): Promise<ChangeResult> {
  try {
    await apply();
    return { id, refusal: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { id, refusal: { code: error.code, message: error.textsIn(language).message } };
  }
}
