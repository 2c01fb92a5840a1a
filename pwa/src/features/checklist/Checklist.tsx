import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatDate } from '@nivida/contract/format';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { CheckRow } from '../../data/bid-documents/checklist-rows.ts';
import {
  buildChecklist,
  type ChecklistRow,
  type ChecklistTender,
  type RowStatus,
  type StandingChecklistRow,
  type TenderChecklist,
} from '../../data/bid-documents/checklist-rows.ts';
import type { VaultDocument } from '../../data/bid-documents/vault-document.ts';
import { storageProblem, withDatabase } from '../../data/device/database.ts';
import type { DeviceQuery } from '../../data/device/live-query.ts';
import { currentRecordOwner } from '../../data/firms/space.ts';
import { useSpaceRows } from '../../data/firms/useSpaceRows.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { HindiGloss } from '../../ui/words/HindiGloss.tsx';
import { AddDocument } from './AddDocument.tsx';
import { sheetFacts } from './bid-sheet.ts';
import css from './Checklist.module.css';
import { markRow } from './check-actions.ts';
import { checklistMessage, checklistSummary, closingHint, countText, sheetHead, subtitle } from './checklist.ts';
import { noListText, printPrivacy, sheetFoot, staleText, usualText } from './checklist-texts.ts';
import { type CheckChange, readChecks, withPending } from './checks.ts';
import { DocumentRow } from './DocumentRow.tsx';
import { type Fold, FoldedRows } from './FoldedRows.tsx';
import { storeUnsavedMarks } from './unsaved-marks.ts';

const FOLD_OF_STATUS: Partial<Record<RowStatus, Fold>> = { ready: 'done', not_needed: 'not needed' };

type MarkRow = (key: string, change: CheckChange) => void;

interface ChecklistProps {
  tender: ChecklistTender;
  now: Date;
  /** Renders the button that copies a message. */
  renderCopy: (label: string, makeText: () => string) => ReactNode;
  /** The user's documents; empty until they are read. */
  documents: readonly VaultDocument[];
  /**
   * The bid's deposits on the printed sheet, one line each. Absent on a tender's page, which prints them
   * itself.
   */
  depositLines?: readonly string[] | undefined;
  /** Renders the document that serves a row, and buttons to choose or add one. */
  renderDocument: (row: ChecklistRow, onChoose: (documentId: string) => void) => ReactNode;
  /** Renders what the tender's documents say about a row. */
  renderFacts?: (row: ChecklistRow) => ReactNode;
  /** Renders who of the firm does a row. */
  renderAssignee?: ((row: ChecklistRow, onAssign: (assigneeId: string | null) => void) => ReactNode) | undefined;
  /** Hides rows. */
  isShown?: ((row: ChecklistRow) => boolean) | undefined;
}

/** The user's marks of a tender's checklist. A mark shows at once, before it is stored. */
function useChecks(tenderId: string) {
  const loadQuery = useCallback(async (): Promise<DeviceQuery<CheckRow[]>> => {
    // When this fails, the next opening of the checklist tries again.
    await withDatabase((db) => storeUnsavedMarks(db, currentRecordOwner(), tenderId)).catch(() => undefined);
    return (db, owner) => readChecks(db, owner, tenderId);
  }, [tenderId]);
  const { rows, error } = useSpaceRows(loadQuery);
  const [pending, setPending] = useState<ReadonlyMap<string, CheckChange>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: new `rows` contain the pending marks
  useEffect(() => setPending(new Map()), [rows]);

  const mark: MarkRow = (key, change) => {
    setPending((marks) => new Map(marks).set(key, change));
    void markRow(tenderId, key, change).then((isSaved) => !isSaved && setPending(new Map()));
  };
  return { checks: rows && withPending(rows, tenderId, pending), error, mark };
}

/** The mark as it is, with another assignee. */
const keptMark = (check: CheckRow | undefined, assigneeId: string | null): CheckChange => {
  const { state = null, reason, documentId } = check ?? {};
  return {
    state,
    ...(reason !== undefined && { reason }),
    ...(documentId !== undefined && { documentId }),
    assigneeId,
  };
};

/**
 * The checklist of a tender: what to upload, whether the user has it, and what applies to every bid. Works
 * offline.
 */
export function Checklist(props: ChecklistProps) {
  const { tender, now, renderCopy, documents, depositLines, renderDocument, renderFacts, renderAssignee } = props;
  const { checks, error, mark } = useChecks(tender._id);
  if (!checks && error === undefined) return <Spinner label={t`Loading the checklist`} />;
  const checklist = buildChecklist(tender, checks ?? [], documents);
  return (
    <div className={css.sheet}>
      <p className={css.head}>{sheetHead(tender)}</p>
      {depositLines && <PrintedFacts tender={tender} depositLines={depositLines} />}
      <ChecklistHead tender={tender} checklist={checklist} now={now} />
      {error !== undefined && (
        <Note tone="amber" icon="warning">
          {t`${{ problem: storageProblem() }}, so marks cannot be saved.`}
        </Note>
      )}
      {checklist.hasNoList && (
        <>
          <Note icon="document">{noListText(checklist.usual, tender.fetched_at === null)}</Note>
          <p className="s muted">{usualText(checklist.usual)}</p>
        </>
      )}
      <FoldedRows
        tenderId={tender._id}
        className={css.rows}
        rows={props.isShown ? checklist.rows.filter(props.isShown) : checklist.rows}
        foldOf={({ status }) => FOLD_OF_STATUS[status]}
        renderRow={(row) => (
          <DocumentRow
            key={row.key}
            row={row}
            now={now}
            onMark={(change) => mark(row.key, change)}
            document={renderDocument(row, (documentId) => mark(row.key, { state: 'ready', documentId }))}
            facts={renderFacts?.(row)}
            assignee={renderAssignee?.(row, (assigneeId) => mark(row.key, keptMark(row.check, assigneeId)))}
          />
        )}
      />
      <AddDocument tenderId={tender._id} />
      <StandingRows tenderId={tender._id} rows={checklist.standing} mark={mark} />
      <div className={css.actions}>
        <Button look="plain" onClick={() => print()}>
          <Icon name="document" small /> {t`Print`}
        </Button>
        {renderCopy(t`Share as text (WhatsApp)`, () => checklistMessage(tender, checklist, false))}
        {renderCopy(t`Only what is missing`, () => checklistMessage(tender, checklist, true))}
      </div>
      <p className={css.foot}>
        {sheetFoot(checklist)} {printPrivacy()}
      </p>
    </div>
  );
}

/**
 * The tender's facts and the bid's deposits, for printing only: on the screen they are beside the checklist.
 */
function PrintedFacts({ tender, depositLines }: { tender: ChecklistTender; depositLines: readonly string[] }) {
  return (
    <div className={css.facts}>
      <dl>
        {sheetFacts(tender).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {depositLines.length > 0 && (
        <ul>
          {depositLines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ChecklistHead({ tender, checklist, now }: { tender: ChecklistTender; checklist: TenderChecklist; now: Date }) {
  const summary = checklistSummary(checklist);
  const hint = closingHint(tender, checklist, now);
  return (
    <header className={css.summary}>
      <h2>
        <Trans>
          Will my bid survive? <HindiGloss as="span">क्या मेरी बोली टिकेगी?</HindiGloss>
        </Trans>
      </h2>
      <p className="s muted">{subtitle(tender, checklist)}</p>
      <p className={css.count} role="status">
        {countText(checklist)}
      </p>
      {summary && (
        <p className={css.verdict} data-tone={summary.tone}>
          {summary.text}
        </p>
      )}
      {tender.fetched_at !== null && (
        <p className="xs muted">{staleText(formatDate(tender.fetched_at), checklist.hasNoList)}</p>
      )}
      {hint && (
        <Note tone="amber" icon="clock">
          {hint.text}
          {hint.source && <p className="xs muted">{hint.source}</p>}
        </Note>
      )}
    </header>
  );
}

/** Rows that apply to every bid and that no portal's list has. */
function StandingRows(props: { tenderId: string; rows: readonly StandingChecklistRow[]; mark: MarkRow }) {
  const { tenderId, rows, mark } = props;
  return (
    <section className={css.standing} aria-labelledby="checklist-standing">
      <h3 id="checklist-standing">{t`On every bid`}</h3>
      <FoldedRows
        tenderId={`standing ${tenderId}`}
        rows={rows}
        foldOf={({ isDone }) => (isDone ? 'done' : undefined)}
        renderRow={({ key, name, hindi, why, isDone }) => (
          <li key={key}>
            <Checkbox checked={isDone} onChange={({ target }) => mark(key, { state: target.checked ? 'ready' : null })}>
              {name}
              <HindiGloss>{hindi}</HindiGloss>
              {why && <small>{why}</small>}
            </Checkbox>
          </li>
        )}
      />
    </section>
  );
}
