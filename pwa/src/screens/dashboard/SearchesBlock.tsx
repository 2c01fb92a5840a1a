import { t } from '@lingui/core/macro';
import { storageProblem } from '../../data/device/database.ts';
import { SavedSearchList } from '../../features/searches/SavedSearchList.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { type SearchesWithHits, WithinLimitNote } from '../tenders/SavedSearches.tsx';
import { DashboardBlock, EmptyBlock } from './DashboardBlock.tsx';

const MAX_SEARCHES_SHOWN = 5;

/** The newest saved searches with their new hits. */
export function SearchesBlock({ searches, error, hits, isWithinLimit }: SearchesWithHits) {
  const count = searches?.length ?? 0;
  return (
    <DashboardBlock
      title={t`Saved searches`}
      all={
        count > 0
          ? { to: '/tenders#searches', label: count > MAX_SEARCHES_SHOWN ? t`All ${count}` : t`Rename or delete` }
          : undefined
      }
    >
      {!searches && error === undefined && (
        <EmptyBlock>
          <Skeleton>{t`bridge · Solan · closing within 7 days`}</Skeleton>
        </EmptyBlock>
      )}
      {error !== undefined && (
        <EmptyBlock>{t`${{ problem: storageProblem() }}, so searches cannot be saved.`}</EmptyBlock>
      )}
      {searches?.length === 0 && (
        <EmptyBlock>{t`None yet. Tap “Save search” above a list: new matches are counted here.`}</EmptyBlock>
      )}
      {searches && count > 0 && (
        <>
          <SavedSearchList searches={searches.slice(0, MAX_SEARCHES_SHOWN)} hits={hits} />
          <WithinLimitNote isWithinLimit={isWithinLimit} />
        </>
      )}
    </DashboardBlock>
  );
}
