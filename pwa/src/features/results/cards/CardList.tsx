import { PAGE_SIZE } from '@nivida/contract/filter/tender-filter';
import type { SearchedWord, TenderSummary } from '@nivida/contract/tenders/tender';
import type { ReactNode, SyntheticEvent } from 'react';
import css from './CardList.module.css';
import { TenderCard, TenderCardSkeleton } from './TenderCard.tsx';

interface CardListProps {
  tenders: readonly TenderSummary[];
  now: Date;
  /** The tender in the preview. */
  previewId?: string | undefined;
  /** A card was pointed at or focused. */
  onPreview?: ((tender: TenderSummary) => void) | undefined;
  /** The bookmark button of one card. */
  renderBookmark: (tender: TenderSummary) => ReactNode;
  /** The user's own mark of one card. */
  renderMark?: ((tender: TenderSummary) => ReactNode) | undefined;
  /** `h3` when the list has its own heading. */
  heading?: 'h2' | 'h3';
  /** The words of the search, to be marked. */
  words?: readonly SearchedWord[] | undefined;
  /** What follows one card in its entry, or null. */
  renderBelow?: ((tender: TenderSummary) => ReactNode) | undefined;
  /** True for a list within an entry of another one. */
  isNested?: boolean;
}

/** The cards of one page. */
export function CardList(props: CardListProps) {
  const { tenders, now, previewId, onPreview, renderBookmark, renderMark, heading, words, renderBelow, isNested } =
    props;
  return (
    <ol className={css.cards} data-nested={isNested || undefined}>
      {tenders.map((tender) => {
        const below = renderBelow?.(tender);
        const preview = (event: SyntheticEvent) => {
          onPreview?.(tender);
          // An entry may hold another list.
          event.stopPropagation();
        };
        return (
          <li
            key={tender._id}
            data-preview={tender._id === previewId || undefined}
            // Not onPointerEnter: a card that the page moves under a resting pointer was not pointed at.
            onPointerMove={preview}
            onFocus={preview}
          >
            <TenderCard
              tender={tender}
              now={now}
              bookmark={renderBookmark(tender)}
              ownMark={renderMark?.(tender)}
              heading={heading}
              words={words}
            />
            {below}
          </li>
        );
      })}
    </ol>
  );
}

export function CardListSkeleton({ count = PAGE_SIZE, isNested }: { count?: number; isNested?: boolean }) {
  return (
    <ol className={css.cards} data-nested={isNested || undefined} aria-busy="true" aria-label="Loading tenders">
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <li key={index}>
          <TenderCardSkeleton />
        </li>
      ))}
    </ol>
  );
}
