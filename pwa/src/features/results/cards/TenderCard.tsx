import { districtsText } from '@nivida/contract/format';
import { statusAt } from '@nivida/contract/tenders/status';
import type { SearchedWord, TenderSummary } from '@nivida/contract/tenders/tender';
import { markWords, type TextPart } from '@nivida/contract/words/mark-words';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { EdgeGauge } from '../../../ui/display/Gauge.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import { Status } from '../../../ui/display/Status.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { langOf } from '../../../ui/words/lang-of.ts';
import {
  cardMark,
  closingFacts,
  emdCardText,
  priceFacts,
  tenderStatusLabel,
  tenderStatusTone,
} from '../../tender/labels.ts';
import { ClosingBadge, ClosingGauge } from './ClosingBadge.tsx';
import { cutTitleLine, snippetOf } from './marked-text.ts';
import { allowsMotion, moveCard } from './open-transition.ts';
import css from './TenderCard.module.css';

const NO_WORDS: readonly SearchedWord[] = [];
const DOT = '\u00a0· ';

interface TenderCardProps {
  tender: TenderSummary;
  now: Date;
  /** The button in the card's corner, 48 px square. */
  bookmark: ReactNode;
  /** The user's own mark, in a few words. */
  ownMark?: ReactNode;
  /** `h3` when the list has its own heading. */
  heading?: 'h2' | 'h3' | undefined;
  /** The words of the search; they are highlighted. */
  words?: readonly SearchedWord[] | undefined;
}

/**
 * A tender in a list. It is 104 px high on a phone, and one row from a width of 44rem. The title's link
 * covers the card.
 */
export function TenderCard(props: TenderCardProps) {
  const { tender, now, bookmark, ownMark, heading: Heading = 'h2', words = NO_WORDS } = props;
  const status = statusAt(tender, now);
  const { isOver } = closingFacts(tender, now);
  const price = priceFacts(tender);
  const districts = districtsText(tender);
  const mark = cardMark(tender, now);
  const snippet = words.length > 0 ? snippetOf(tender, words) : undefined;
  const cut = words.length > 0 && !snippet ? cutTitleLine(tender.title, words) : undefined;
  return (
    <article className={css.card} data-over={isOver || undefined}>
      <ClosingGauge tender={tender} now={now} />
      <Heading>
        <Link
          to={`/tenders/${tender._id}`}
          state={{ fromList: true }}
          viewTransition={allowsMotion()}
          onClick={({ currentTarget }) => moveCard(currentTarget.closest('article'))}
          lang={langOf(tender.title)}
        >
          <MarkedText parts={markWords(tender.title, words)} />
        </Link>
      </Heading>
      <div className={css.bookmark}>{bookmark}</div>
      {snippet && (
        <p className={css.snippet}>
          <MarkedText parts={snippet} />
        </p>
      )}
      {cut && (
        <p className={css.snippet} data-phone={cut.isForPhone || undefined} aria-hidden="true">
          <MarkedText parts={cut.parts} />
        </p>
      )}
      <p className={css.meta}>
        <Status tone={tenderStatusTone(status)} label={tenderStatusLabel(status)} quiet={status === 'active'} />
        <span className={css.facts}>
          <span className={css.org} lang={langOf(tender.org_name)}>
            {tender.org_name}
          </span>
          {districts && (
            <span className={css.district}>
              {DOT}
              {districts}
            </span>
          )}
          <span>
            {DOT}
            {emdCardText(tender)}
          </span>
        </span>
        {mark && (
          <span className={css.mark} data-clock="">
            {mark.icon && <Icon name={mark.icon} small />}
            {mark.text}
          </span>
        )}
        {ownMark && <span className={css.own}>{ownMark}</span>}
      </p>
      <div className={css.sum}>
        <p className={css.money}>
          {price.text} {price.hint && <small>{price.hint}</small>}
        </p>
        <span className={css.badge}>
          <ClosingBadge tender={tender} now={now} />
        </span>
      </div>
    </article>
  );
}

/** A text whose found words are marked. */
export function MarkedText({ parts }: { parts: readonly TextPart[] }) {
  return parts.map(({ text, isMarked, reason }, at) =>
    isMarked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
      <mark key={at} title={reason}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
}

/** A placeholder with the height of a card. */
export function TenderCardSkeleton() {
  return (
    <article className={css.card}>
      <EdgeGauge tone="gray" left={0} />
      <h2>
        <Skeleton>{30}</Skeleton> <Skeleton>{20}</Skeleton>
      </h2>
      <p className={css.meta}>
        <Skeleton>{25}</Skeleton>
      </p>
      <div className={css.sum}>
        <p className={css.money}>
          <Skeleton>{10}</Skeleton>
        </p>
        <span className={css.badge}>
          <Skeleton>{20}</Skeleton>
        </span>
      </div>
    </article>
  );
}
