import { t } from '@lingui/core/macro';
import { hasRole } from '@nivida/contract/desk/act';
import { type CorrectableField, TenderStages } from '@nivida/contract/desk/tenders';
import { formatDateTime } from '@nivida/contract/format';
import { i18n } from '@nivida/contract/i18n';
import { CHANGED_FIELD_LABELS, findAlertKind } from '@nivida/contract/push/alert-kinds';
import { portalInfo } from '@nivida/contract/tenders/portals';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../../ui/Button.tsx';
import { Status } from '../../../ui/display/Status.tsx';
import { Note } from '../../../ui/feedback/Note.tsx';
import { langOf } from '../../../ui/words/lang-of.ts';
import { ActButton } from '../act/ActButton.tsx';
import { useDeskMe } from '../data/desk-me.ts';
import { DeskAnswer } from '../list/DeskAnswer.tsx';
import { CorrectDialog } from './CorrectDialog.tsx';
import { evidenceText, fieldLabel, fieldValueText, useTenderStages } from './desk-tenders.ts';
import { SourceRows } from './SourceRows.tsx';
import css from './TenderPanel.module.css';
import { TenderReports } from './TenderReports.tsx';

const at = (instant: string): string => formatDateTime(new Date(instant));

/** The side panel of a tender: what can be done, and the line of its stages. */
export function TenderPanel({ id }: { id: string }) {
  return (
    <DeskAnswer query={useTenderStages(id)} failure={t`The tender could not be loaded`}>
      {(tender) => <TenderLine tender={tender} />}
    </DeskAnswer>
  );
}

function TenderLine({ tender }: { tender: TenderStages }) {
  const { id, title, hidden, published } = tender;
  const role = useDeskMe().me?.role;
  const mayAct = role !== undefined && hasRole(role, 'operator');
  const [field, setField] = useState<CorrectableField>();
  return (
    <>
      <h2 lang={langOf(title)}>{title}</h2>
      {hidden && (
        <Note tone="amber" icon="warning">
          {t`Hidden since ${{ time: at(hidden.at) }}: ${{ reason: hidden.reason }}`}
        </Note>
      )}
      <div className="row">
        {mayAct && (
          <>
            <Button data-main-act="" onClick={() => setField('closing')}>{t`Correct a field`}</Button>
            <HideButton tender={tender} />
          </>
        )}
        {!hidden && published.is_public && <Link to={`/tenders/${id}`}>{t`Page of the tender`}</Link>}
      </div>
      <TenderReports tender={tender} />
      <ol className={css.stages} aria-label={t`Stages of the tender`}>
        <SourceStage tender={tender} />
        <ReadStage tender={tender} onCorrect={mayAct ? setField : undefined} />
        <PlaceStage tender={tender} />
        <DepartmentStage tender={tender} />
        <PublishedStage tender={tender} />
        <ChangesStage tender={tender} />
        <AlertsStage tender={tender} />
      </ol>
      {field && <CorrectDialog tender={tender} field={field} onClose={() => setField(undefined)} />}
    </>
  );
}

function HideButton({ tender: { id, hidden } }: { tender: TenderStages }) {
  const hide = { path: `tenders/${id}/hide` };
  const unhide = { path: `tenders/${id}/unhide` };
  return hidden ? (
    <ActButton
      {...unhide}
      key="unhide"
      label={t`Show again`}
      title={t`Show this tender again?`}
      schema={TenderStages}
      done={() => t`The tender is shown again`}
      undo={() => hide}
    />
  ) : (
    <ActButton
      {...hide}
      key="hide"
      label={t`Hide`}
      title={t`Hide this tender from everyone?`}
      schema={TenderStages}
      usualReasons={[t`Not a real tender`, t`The office asked for it`]}
      done={() => t`The tender is hidden`}
      undo={() => unhide}
    >
      <p className="s">{t`It leaves lists, searches and phones. Orders and documents that were bought stay.`}</p>
    </ActButton>
  );
}

interface StageProps {
  name: string;
  /** The outcome of the stage in a few words. */
  fact: string;
  isNoted?: boolean;
  isOpen?: boolean;
  children: ReactNode;
}

function Stage({ name, fact, isNoted, isOpen, children }: StageProps) {
  return (
    <li className={css.stage} data-tone={isNoted ? 'amber' : undefined}>
      <details open={isOpen}>
        <summary>
          <b>{name}</b> <span className="s muted">{fact}</span>
        </summary>
        <div className={css.body}>{children}</div>
      </details>
    </li>
  );
}

function SourceStage({ tender: { source } }: { tender: TenderStages }) {
  const portal = portalInfo(source.portal).name;
  return (
    <Stage name={t`Source row`} fact={`${portal} · ${source.id}`}>
      <p className="s">
        {t`Last read ${{ time: at(source.last_read_at) }}. In this form since ${{ since: at(source.first_read_at) }}.`}
      </p>
      <SourceRows source={source} />
    </Stage>
  );
}

interface ReadStageProps {
  tender: TenderStages;
  onCorrect: ((field: CorrectableField) => void) | undefined;
}

/** The fields as they are shown, those that are corrected, and the corrections that have ended. */
function ReadStage({ tender, onCorrect }: ReadStageProps) {
  const { id, read_as, corrections } = tender;
  const active = corrections.filter(({ ended_at }) => ended_at === null);
  const ended = corrections.filter(({ ended_at }) => ended_at !== null);
  const fact =
    active.length > 0 ? t`Corrected by us: ${{ fields: active.map((each) => fieldLabel(each.field)).join(', ') }}` : '';
  return (
    <Stage name={t`Read as`} fact={fact} isNoted={active.length > 0} isOpen>
      <dl className={css.fields}>
        {read_as.map(({ field, value }) => {
          const correction = active.find((each) => each.field === field);
          const name = fieldLabel(field);
          return (
            <div key={field}>
              <dt>{name}</dt>
              <dd lang={field === 'title' ? langOf(value ?? '') : undefined}>{fieldValueText(field, value)}</dd>
              {correction && (
                <dd className="s">
                  <Status tone="amber" label={t`Corrected by us`} /> {at(correction.at)}, {correction.reason}.{' '}
                  {t`At the portal: ${{ value: fieldValueText(field, correction.source_value) }}`}
                </dd>
              )}
              {onCorrect && (
                <dd className={css.acts}>
                  {correction ? (
                    <ActButton
                      look="plain"
                      label={t`End the correction`}
                      title={t`Show the portal’s value of ${{ field: name }} again?`}
                      path={`tenders/${id}/uncorrect`}
                      body={{ field }}
                      schema={TenderStages}
                      done={() => t`As at the portal again: ${{ field: name }}`}
                      undo={() => ({ path: `tenders/${id}/correct`, body: { field, value: correction.value ?? '' } })}
                    />
                  ) : (
                    <Button look="plain" aria-label={t`Correct ${{ field: name }}`} onClick={() => onCorrect(field)}>
                      {t`Correct`}
                    </Button>
                  )}
                </dd>
              )}
            </div>
          );
        })}
      </dl>
      {ended.length > 0 && (
        <ul className="s" aria-label={t`Earlier corrections`}>
          {ended.map((each) => (
            <li key={`${each.field} ${each.at}`}>
              {fieldLabel(each.field)}: {fieldValueText(each.field, each.value)}, {each.reason}.{' '}
              {endText(each.ended_because)} {each.ended_at && at(each.ended_at)}
            </li>
          ))}
        </ul>
      )}
    </Stage>
  );
}

/** Why a correction ended, before the time. */
function endText(because: TenderStages['corrections'][number]['ended_because']): string {
  if (because === 'source') return t`The portal has changed the field:`;
  return because === 'replaced' ? t`Corrected again:` : t`Ended by us:`;
}

function PlaceStage({ tender: { place } }: { tender: TenderStages }) {
  const districts = [place.district, place.second_district].filter((name) => name !== null).join(', ');
  const [first] = place.evidence.filter(({ district }) => district === place.district);
  return (
    <Stage
      name={t`Place`}
      fact={[districts || t`no district`, first && evidenceText(first)].filter(Boolean).join(' · ')}
      isNoted={districts === ''}
    >
      {place.evidence.length === 0 && <p>{t`No text of the row names a district.`}</p>}
      <ul>
        {place.evidence.map((each) => (
          <li key={each.from}>
            {evidenceText(each)} → {each.district}
          </li>
        ))}
      </ul>
    </Stage>
  );
}

function DepartmentStage({ tender: { department } }: { tender: TenderStages }) {
  return (
    <Stage name={t`Department`} fact={department.name ?? t`not specified`}>
      <p>{department.organisation.join(' › ')}</p>
      <p className="s">
        {department.is_listed
          ? t`This organisation is one of the known departments.`
          : t`This organisation is not known, so its first level is shown.`}
      </p>
    </Stage>
  );
}

function PublishedStage({ tender: { published, hidden } }: { tender: TenderStages }) {
  const time = published.at === null ? '' : at(published.at);
  return (
    <Stage name={t`Published`} fact={hidden ? t`hidden` : time} isNoted={hidden !== null}>
      <p>
        {hidden
          ? t`Hidden since ${{ time: at(hidden.at) }}: ${{ reason: hidden.reason }}`
          : published.is_public
            ? t`Everyone can see it.`
            : t`It is not public before ${{ time }}.`}
      </p>
    </Stage>
  );
}

/** A value of a change: instants as times, all else as it is. */
function changeText(value: unknown): string {
  if (value === null || value === undefined || value === '') return t`not specified`;
  if (typeof value !== 'string') return JSON.stringify(value);
  return /^\d{4}-\d\d-\d\dT/.test(value) ? at(value) : value;
}

function changedFieldText(field: string): string {
  const label = CHANGED_FIELD_LABELS[field];
  return label ? i18n._(label) : field;
}

function ChangesStage({ tender: { changes } }: { tender: TenderStages }) {
  const kinds = { published: t`Published`, changed: t`Changed`, removed: t`Removed` };
  return (
    <Stage name={t`Changes`} fact={String(changes.filter(({ kind }) => kind === 'changed').length)}>
      {changes.length === 0 && <p>{t`None yet.`}</p>}
      <ul>
        {changes.map(({ at: when, kind, changes: fields }) => (
          <li key={when + kind}>
            {at(when)}: {kinds[kind]}
            {fields.map((each) => (
              <p key={each.field} className="s">
                {changedFieldText(each.field)}: {changeText(each.old)} → {changeText(each.new)}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Stage>
  );
}

function AlertsStage({ tender: { alerts } }: { tender: TenderStages }) {
  const total = alerts.reduce((sum, { count }) => sum + count, 0);
  return (
    <Stage name={t`Alerts sent`} fact={String(total)}>
      {total === 0 && <p>{t`None yet.`}</p>}
      <ul>
        {alerts.map(({ kind, count }) => {
          const known = findAlertKind(kind);
          return (
            <li key={kind}>
              {known ? i18n._(known.heading) : kind}: {count}
            </li>
          );
        })}
      </ul>
    </Stage>
  );
}
