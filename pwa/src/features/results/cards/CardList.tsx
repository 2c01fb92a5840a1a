import { t } from '@lingui/core/macro';
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
  /** Called when a card is pointed at or focused. */
  onPreview?: ((tender: TenderSummary) => void) | undefined;
  /** Renders the bookmark button of a card. */
  renderBookmark: (tender: TenderSummary) => ReactNode;
  /** Renders the user's own mark of a card. */
  renderMark?: ((tender: TenderSummary) => ReactNode) | undefined;
  /** `h3` when the list has its own heading. */
  heading?: 'h2' | 'h3';
  /** The words of the search; they are highlighted. */
  words?: readonly SearchedWord[] | undefined;
  /** Renders what follows a card in its entry, or returns null. */
  renderBelow?: ((tender: TenderSummary) => ReactNode) | undefined;
  /** True for a list inside an entry of another list. */
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
          // An entry may contain another list.
          event.stopPropagation();
        };
        return (
          <li
            key={tender._id}
            data-preview={tender._id === previewId || undefined}
            // Not onPointerEnter: it also fires when the page moves a card under a resting pointer.
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
    <ol className={css.cards} data-nested={isNested || undefined} aria-busy="true" aria-label={t`Loading tenders`}>
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <li key={index}>
          <TenderCardSkeleton />
        </li>
      ))}
    </ol>
  );
}
