import { t } from '@lingui/core/macro';
import { formatDate } from '@nivida/contract/format';
import { i18n, inLanguage } from '@nivida/contract/i18n';
import { type ReactNode, useId } from 'react';
import type { ChecklistRow, CheckRow } from '../../data/bid-documents/checklist-rows.ts';
import type { DocumentKind } from '../../data/bid-documents/match-kinds.ts';
import { notNeededReasons, reasonLabel } from '../../data/bid-documents/not-needed-reasons.ts';
import { loadWord } from '../../data/words/load-word.ts';
import { Button } from '../../ui/Button.tsx';
import { Badge } from '../../ui/display/Badge.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { Field, Input, Select } from '../../ui/form/Field.tsx';
import { HindiGloss } from '../../ui/words/HindiGloss.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import { Term } from '../../ui/words/Term.tsx';
import css from './Checklist.module.css';
import { removeOwnRow } from './check-actions.ts';
import { isCutLine, rowSign, rowTone } from './checklist.ts';
import { badgeLabel, cutLineText } from './checklist-texts.ts';
import type { CheckChange } from './checks.ts';
import { wordOfKind } from './kind-words.ts';

interface DocumentRowProps {
  row: ChecklistRow;
  now: Date;
  onMark: (change: CheckChange) => void;
  /** The document of the vault that serves the row, and buttons to choose or add one. */
  document?: ReactNode;
  /** What the tender's documents say about it. */
  facts?: ReactNode;
  /** Who does it. */
  assignee?: ReactNode;
}

/**
 * The change when a row is ticked or unticked. Unticking a row that a document serves marks the document as
 * missing: without a mark the document would serve the row again.
 */
export function tickChange({ document }: Pick<ChecklistRow, 'document'>, isTicked: boolean): CheckChange {
  if (isTicked) return { state: 'ready' };
  return { state: document ? 'missing' : null };
}

/** One document: its name and its state, with the portal's text below. */
export function DocumentRow({ row, now, onMark, document, facts, assignee }: DocumentRowProps) {
  const { kind, name, check, status, text, badges } = row;
  const stateId = useId();
  const word = kind && wordOfKind(kind.id);
  return (
    <li className={css.row}>
      <Checkbox
        checked={check?.state === 'ready' || row.document !== undefined}
        aria-describedby={stateId}
        onChange={({ target }) => onMark(tickChange(row, target.checked))}
      >
        <b lang={kind ? undefined : langOf(name)}>{name}</b>
        {kind && <HindiGloss>{kind.hindi}</HindiGloss>}
      </Checkbox>
      <div className={css.stateLine}>
        <p className={css.state} data-tone={rowTone(status)} id={stateId}>
          <span aria-hidden="true">{rowSign(status)}</span> {text}
        </p>
        {word && <Term form={word[0]} load={() => loadWord(word[1])} />}
      </div>
      {badges.length > 0 && (
        <p className={css.badges}>
          {badges.map((badge) => (
            <Badge key={badge} tone="blue">
              {badgeLabel(badge)}
            </Badge>
          ))}
        </p>
      )}
      {document}
      {check?.state === 'ready' && !row.document && kind?.life === 'expires' && (
        <div className={css.date}>
          <Field label={t`Valid until`}>
            {(control) => (
              <Input
                {...control}
                type="date"
                value={check.validUntil ?? ''}
                onChange={({ target }) => onMark({ state: 'ready', validUntil: target.value })}
              />
            )}
          </Field>
        </div>
      )}
      <PortalLines row={row} />
      {facts}
      {assignee}
      <details className={css.details}>
        <summary>{kind ? t`Change the mark, common mistakes` : t`Change the mark`}</summary>
        <div className={css.marks}>
          <OtherMarks name={name} check={check} now={now} onMark={onMark} />
          {row.isOwn && check && (
            <Button look="icon" aria-label={t`Remove ${name}`} onClick={() => void removeOwnRow(check)}>
              <Icon name="close" />
            </Button>
          )}
        </div>
        {kind && <KindFacts kind={kind} />}
      </details>
    </li>
  );
}

/** The marks other than ready. */
function OtherMarks(props: {
  name: string;
  check: CheckRow | undefined;
  now: Date;
  onMark: (change: CheckChange) => void;
}) {
  const { name, check, now, onMark } = props;
  const reasons = notNeededReasons(inLanguage('en', () => formatDate(now)));
  // A reason from an earlier day is not in the list.
  if (check?.reason && !reasons.includes(check.reason)) reasons.push(check.reason);
  const value = check?.state === 'not_needed' ? `not_needed ${check.reason}` : (check?.state ?? '');
  return (
    <Select
      aria-label={t`State of ${name}`}
      value={value}
      onChange={({ target }) => {
        const [state = '', ...reason] = target.value.split(' ');
        if (state === 'not_needed') onMark({ state, reason: reason.join(' ') });
        else onMark({ state: (state || null) as CheckRow['state'] });
      }}
    >
      <option value="">{t`Not marked`}</option>
      <option value="ready">{t`Ready`}</option>
      <option value="missing">{t`Missing`}</option>
      <option value="ask_office">{t`Ask the office`}</option>
      <optgroup label={t`Not needed for me`}>
        {reasons.map((reason) => (
          <option key={reason} value={`not_needed ${reason}`}>
            {reasonLabel(reason)}
          </option>
        ))}
      </optgroup>
    </Select>
  );
}

/** The text of the portal. */
function PortalLines({ row: { lines, name } }: { row: ChecklistRow }) {
  return (
    <>
      {lines
        .filter((line) => line !== name)
        .map((line) => (
          <p key={line} className={css.line} lang={langOf(line)}>
            “{line}”
          </p>
        ))}
      {lines.some(isCutLine) && <p className={css.line}>{cutLineText()}</p>}
    </>
  );
}

/** The description of a kind and the common mistakes with it. */
function KindFacts({ kind: { texts } }: { kind: DocumentKind }) {
  return (
    <>
      <p>{t`${{ description: i18n._(texts.what) }} Issued by: ${{ issuer: i18n._(texts.issuedBy) }}.`}</p>
      <ul>
        {texts.mistakes.map((mistake) => (
          <li key={mistake.id}>{i18n._(mistake)}</li>
        ))}
      </ul>
    </>
  );
}
