import { plural, t } from '@lingui/core/macro';
import { csvLine } from '@nivida/contract/csv';
import { formatDate } from '@nivida/contract/format';
import { inLanguage } from '@nivida/contract/i18n';
import { hasSearchedWords, itemWords, searchedText } from '@nivida/contract/rates/item-words';
import type { PastRate } from '@nivida/contract/rates/rate-book';
import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { currentTime } from '../../data/clock.ts';
import { inPresentSpace } from '../../data/firms/space.ts';
import { removeRecord, restoreRecord, saveFailureText } from '../../data/records/records.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { Field, Input } from '../../ui/form/Field.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { langOf } from '../../ui/words/lang-of.ts';
import css from './Boq.module.css';
import { groupedDecimal } from './BoqItemRow.tsx';

/** Rates that are shown at first, and added by each tap. */
const PAGE_SIZE = 50;

const nowMs = () => currentTime().getTime();

async function deleteRate({ id }: PastRate): Promise<void> {
  try {
    await removeRecord('rate', id, nowMs());
    const undo = () => void restoreRecord('rate', id, nowMs());
    showToast({ text: t`Rate deleted.`, action: { label: t`Undo`, run: inPresentSpace(undo) }, passing: true });
  } catch (error) {
    showToast({ text: saveFailureText(error, 'bids') });
  }
}

/** The rate book as CSV. It begins with a byte order mark, which Excel needs for Hindi. */
export function rateBookCsv(book: readonly PastRate[]): string {
  const head = [t`Item`, t`Unit`, t`Rate (₹)`, t`Tender`, t`Entered`];
  // Spreadsheets sort and read dates in English only.
  const rows = book.map(({ text, unit, rate, source, ratedAt }) => [
    ...[text, unit, rate, source],
    inLanguage('en', () => formatDate(ratedAt)),
  ]);
  return `\ufeff${[head, ...rows].map(csvLine).join('')}`;
}

function exportBook(book: readonly PastRate[]): void {
  const day = currentTime().toISOString().slice(0, 10);
  saveFile(`nivida-rates-${day}.csv`, new Blob([rateBookCsv(book)], { type: 'text/csv;charset=utf-8' }));
}

/** The bidder's past rates, last first: search, delete and export. */
export function RateBookList({ book }: { book: readonly PastRate[] }) {
  const [query, setQuery] = useState('');
  const [max, setMax] = useState(PAGE_SIZE);
  const searched = useMemo(
    () =>
      book.map((past) => ({
        past,
        line: searchedText({ no: '', text: `${past.text} ${past.source}`, unit: past.unit }),
      })),
    [book],
  );
  const found = useMemo(() => {
    const words = itemWords(query);
    return searched.filter(({ line }) => hasSearchedWords(line, words)).map(({ past }) => past);
  }, [searched, query]);
  return (
    <Panel stack>
      <Field label={t`Search in my rates`}>
        {(control) => (
          <Input
            {...control}
            type="search"
            autoComplete="off"
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
        )}
      </Field>
      <div className="head">
        <p className="xs muted" role="status">
          {plural(found.length, { one: '# rate', other: '# rates' })}
        </p>
        <Button look="plain" onClick={() => exportBook(found)}>
          <Icon name="download" small /> {t`Export as CSV`}
        </Button>
      </div>
      <ul className="rows">
        {found.slice(0, max).map((past) => (
          <li key={past.id}>
            <div className={css.past}>
              <strong className="num">{t`₹${{ rate: groupedDecimal(past.rate) }} per ${past.unit}`}</strong>
              <Button
                look="link"
                aria-label={t`Delete the rate ${{ rate: past.rate }} for ${{ item: past.text }}`}
                onClick={() => void deleteRate(past)}
              >{t`Delete`}</Button>
            </div>
            <p className="s" lang={langOf(past.text)}>
              {past.text}
            </p>
            <p className="xs muted">
              <Link to={`/tenders/${past.tenderId}/boq`}>{past.source || t`Tender`}</Link> · {formatDate(past.ratedAt)}
            </p>
          </li>
        ))}
      </ul>
      {found.length > max && <Button onClick={() => setMax(max + PAGE_SIZE)}>{t`Show more`}</Button>}
    </Panel>
  );
}
