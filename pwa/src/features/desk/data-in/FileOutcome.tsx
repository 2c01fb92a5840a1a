import { t } from '@lingui/core/macro';
import type { DeskFile } from '@nivida/contract/desk/data-in';
import { districtsText, formatCount, formatDateTime, formatRupees } from '@nivida/contract/format';
import type { PROBLEMS } from '@nivida/contract/ingest/sent-files';
import { useState } from 'react';
import { failureText } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorText, Note } from '../../../ui/feedback/Note.tsx';
import css from './DataIn.module.css';
import { saveRejects } from './data-calls.ts';

/** Why a file was not imported, in a sentence. */
export function problemText(code: (typeof PROBLEMS)[number]): string {
  return {
    'mass-change': t`Many tenders would lose a field or move their dates. Nothing was stored.`,
    state: t`Most places of this file lie in another state. Nothing was stored.`,
    columns: t`The columns differ from the saved mapping. Nothing was stored.`,
    options: t`The portal or the state is missing or wrong.`,
    file: t`This file cannot be read as it is. Nothing was stored.`,
    rejected: t`Every row was rejected, so nothing was stored.`,
    failed: t`The import failed. The log of the worker has the reason.`,
  }[code];
}

/** The counts of a file in one line. */
export function countsText({ counts }: Pick<DeskFile, 'counts'>): string {
  if (!counts) return '';
  const { read, new: added, changed, unchanged, rejected, attached = 0, warnings = 0 } = counts;
  const texts = [
    t`${{ count: formatCount(read) }} read`,
    t`${{ count: formatCount(added) }} new`,
    t`${{ count: formatCount(changed) }} changed`,
    t`${{ count: formatCount(unchanged) }} unchanged`,
    t`${{ count: formatCount(rejected) }} rejected`,
  ];
  if (attached > 0) texts.push(t`${{ count: formatCount(attached) }} of another portal`);
  if (warnings > 0) texts.push(t`${{ count: formatCount(warnings) }} cells not used`);
  return texts.join(' · ');
}

/** What a count or an import found: its problem, counts, rejected rows, and the first tenders. */
export function FileOutcome({ file }: { file: DeskFile }) {
  const { problem, isDryRun, status, rejections, tenders, notes } = file;
  const isDone = status === 'done' && !isDryRun;
  return (
    <section className="stack" aria-labelledby="outcome">
      <h2 id="outcome">{isDone ? t`Imported` : t`What would change`}</h2>
      {problem && (
        <Note tone="red" icon="warning">
          <p>{problemText(problem.code)}</p>
          <p className="s" lang="en">
            {problem.text}
          </p>
        </Note>
      )}
      {file.counts && <p role="status">{countsText(file)}</p>}
      {isDone && <p className="s muted">{t`Users see it at once.`}</p>}
      {notes.length > 0 && (
        <ul className="s muted" lang="en">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {rejections.length > 0 && <Rejections file={file} />}
      {tenders.length > 0 && (
        <>
          <h3>{t`The first tenders`}</h3>
          <ul className={css.cards}>
            {tenders.map((tender) => {
              const { price, price_text, emd } = tender;
              const amounts = [
                price === null ? (price_text ?? t`No estimate`) : formatRupees(price),
                emd !== null && `EMD ${formatRupees(Number(emd))}`,
              ];
              const places = [districtsText(tender) || tender.state, tender.org_name].filter(Boolean);
              return (
                <li key={`${tender.source_portal} ${tender.source_tender_id}`}>
                  <strong dir="auto">{tender.title}</strong>
                  <span className="s">{places.join(' · ')}</span>
                  <span className="s">{amounts.filter(Boolean).join(' · ')}</span>
                  <span className="s">{t`Closing ${{ at: formatDateTime(new Date(tender.closing_date)) }}`}</span>
                  <span className="s muted">{tender.source_tender_id}</span>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </section>
  );
}

function Rejections({ file }: { file: DeskFile }) {
  const [failure, setFailure] = useState<string>();
  const save = () =>
    saveRejects(file).catch((error) => setFailure(failureText(error, t`The report could not be loaded`)));
  return (
    <>
      <h3>{t`Rejected rows`}</h3>
      <table className={css.reasons}>
        <thead>
          <tr>
            <th scope="col">{t`Rows`}</th>
            <th scope="col">{t`Reason`}</th>
            <th scope="col">{t`Example`}</th>
          </tr>
        </thead>
        <tbody>
          {file.rejections.map(({ column, reason, count, line, value }) => (
            <tr key={`${column} ${reason}`}>
              <td>{formatCount(count)}</td>
              <td lang="en">
                {column}: {reason}
              </td>
              <td>
                {value && `“${value}” `}
                {t`in line ${{ line }}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {file.hasRejects && (
        <p>
          <Button onClick={() => void save()}>{t`Save the rejected rows`}</Button>
        </p>
      )}
      <ErrorText text={failure} />
    </>
  );
}
