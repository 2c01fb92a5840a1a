import { plural, t } from '@lingui/core/macro';
import { useNow } from '../../data/clock.ts';
import { MissingLines } from '../../features/added-list/ListLines.tsx';
import { useTypedTenders } from '../../features/added-list/useTypedTenders.ts';
import { CardList, CardListSkeleton } from '../../features/results/cards/CardList.tsx';
import { cardBookmark } from './TenderBookmarkButton.tsx';

/** The tenders whose ids are in the words of a search, and the ids of which none is known. */
export function TypedTenders({ words }: { words: string }) {
  const now = useNow();
  const { found, isSearching, isWaiting } = useTypedTenders(words);
  const { tenders, missing } = found;
  return (
    <div className="stack">
      <h1 className="sr">{t`Tenders by their ids`}</h1>
      <p role="status">
        {isSearching && missing.length > 0
          ? t`Looking for the tenders`
          : plural(tenders.length, { one: '# tender found.', other: '# tenders found.' })}
      </p>
      {tenders.length > 0 && <CardList tenders={tenders} now={now} renderBookmark={cardBookmark} />}
      {isSearching && missing.length > 0 && <CardListSkeleton count={missing.length} />}
      {!isSearching && <MissingLines lines={missing} isWaiting={isWaiting} />}
    </div>
  );
}
