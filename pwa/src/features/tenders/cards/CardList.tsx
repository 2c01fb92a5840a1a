import { PAGE_SIZE } from '@nivida/contract/filter/tender-filter';
import type { SearchedWord, TenderSummary } from '@nivida/contract/tenders/tender';
import type { ReactNode } from 'react';
import { HydrateLater } from '../../../ui/HydrateLater.tsx';
import css from './CardList.module.css';
import { TenderCard, TenderCardSkeleton } from './TenderCard.tsx';

interface CardListProps {
  tenders: readonly TenderSummary[];
  now: Date;
  /** The tender in the preview. */
  previewId?: string | undefined;
  /** A card was pointed at or focused. */
  onPreview?: (id: string) => void;
  /** The bookmark button of one card. */
  renderBookmark: (tender: TenderSummary) => ReactNode;
  /** The user's own mark of one card. */
  renderMark?: ((tender: TenderSummary) => ReactNode) | undefined;
  /** `h3` when the list has its own heading. */
  heading?: 'h2' | 'h3';
  /** The words of the search, to be marked. */
  words?: readonly SearchedWord[] | undefined;
}

/** The cards of one page. */
export function CardList(props: CardListProps) {
  const { tenders, now, previewId, onPreview, renderBookmark, renderMark, heading, words } = props;
  return (
    <ol className={css.cards}>
      {tenders.map((tender) => (
        <li
          key={tender._id}
          data-preview={tender._id === previewId || undefined}
          // Not onPointerEnter: a card that the page moves under a resting pointer was not pointed at.
          onPointerMove={() => onPreview?.(tender._id)}
          onFocus={() => onPreview?.(tender._id)}
        >
          <HydrateLater>
            <TenderCard
              tender={tender}
              now={now}
              bookmark={renderBookmark(tender)}
              ownMark={renderMark?.(tender)}
              heading={heading}
              words={words}
            />
          </HydrateLater>
        </li>
      ))}
    </ol>
  );
}

export function CardListSkeleton({ count = PAGE_SIZE }: { count?: number }) {
  return (
    <ol className={css.cards} aria-busy="true" aria-label="Loading tenders">
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <li key={index}>
          <TenderCardSkeleton />
        </li>
      ))}
    </ol>
  );
}
