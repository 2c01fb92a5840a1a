import { plural, t } from '@lingui/core/macro';
import type { DocumentHit } from '@nivida/contract/documents/document-hits';
import type { TenderListQuery } from '@nivida/contract/filter/tender-filter';
import type { SearchedWord, TenderSummary } from '@nivida/contract/tenders/tender';
import { markWords } from '@nivida/contract/words/mark-words';
import type { ReactNode } from 'react';
import { langOf } from '../../../ui/words/lang-of.ts';
import { CardList } from '../cards/CardList.tsx';
import { MarkedText } from '../cards/TenderCard.tsx';
import css from './InDocuments.module.css';
import { useDocumentHits } from './useDocumentHits.ts';

interface InDocumentsProps {
  search: TenderListQuery;
  now: Date;
  /** Renders the bookmark button of a card. */
  renderBookmark: (tender: TenderSummary) => ReactNode;
}

function placeText({ page, item }: DocumentHit): string {
  if (page !== null) return t`Found in the document, p. ${page}`;
  return item ? t`Found in the BOQ, item ${item}` : t`Found in the BOQ`;
}

function HitPlace({ hit, words }: { hit: DocumentHit; words: readonly SearchedWord[] }) {
  return (
    <p className={css.place}>
      <span className="muted">{placeText(hit)}:</span>{' '}
      <span lang={langOf(hit.snippet)}>
        <MarkedText parts={markWords(hit.snippet, words)} />
      </span>
    </p>
  );
}

/** Below a list: tenders whose official documents have the words of the search. Nothing when there are none. */
export function InDocuments({ search, now, renderBookmark }: InDocumentsProps) {
  const { found, isOfDevice } = useDocumentHits(search) ?? {};
  if (!found || found.total === 0) return null;
  const { total, hits, words } = found;
  const shown = hits.length;
  const byTender = new Map(hits.map((hit) => [hit.tender._id, hit]));
  return (
    <section className={css.section}>
      <h2>
        {plural(total, {
          one: '# tender has all words only in its documents',
          other: '# tenders have all words only in their documents',
        })}
      </h2>
      <p className="xs muted">
        {isOfDevice
          ? t`Only the documents that are saved on this phone were searched.`
          : t`Official documents whose text could be read were searched.`}{' '}
        {shown < total && plural(shown, { one: 'The first # is shown.', other: 'The first # are shown.' })}
      </p>
      <CardList
        tenders={hits.map(({ tender }) => tender)}
        now={now}
        renderBookmark={renderBookmark}
        heading="h3"
        renderBelow={({ _id }) => {
          const hit = byTender.get(_id);
          return hit && <HitPlace hit={hit} words={words} />;
        }}
      />
    </section>
  );
}
