import { plural, t } from '@lingui/core/macro';
import { TenderStages } from '@nivida/contract/desk/tenders';
import { formatDateTime } from '@nivida/contract/format';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { MAX_SUPPORT_TEXT } from '@nivida/contract/limits';
import { reportKindText } from '@nivida/contract/tenders/tender-report';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { loadLanguage } from '../../../data/texts/language.ts';
import { Button } from '../../../ui/Button.tsx';
import { Status } from '../../../ui/display/Status.tsx';
import { Field, TextArea } from '../../../ui/form/Field.tsx';
import { ActButton } from '../act/ActButton.tsx';

/** What readers report of a tender: open reports with their act, and closed ones with the reason. */
export function TenderReports({ tender: { id, reports, more_reports: more } }: { tender: TenderStages }) {
  if (reports.length === 0) return null;
  return (
    <ul className="rows" aria-label={t`Reports of mistakes`}>
      {reports.map((report) => {
        const path = `tenders/${id}/reports/${report.id}`;
        return (
          <li key={report.id}>
            <p>
              <Status
                tone={report.closed_at === null ? 'amber' : 'gray'}
                label={report.closed_at === null ? t`Open report` : t`Closed report`}
              />{' '}
              {reportKindText(report.kind)} <span className="s muted">{formatDateTime(report.at)}</span>
            </p>
            {report.text !== '' && <p dir="auto">{report.text}</p>}
            {report.closed_at === null ? (
              <CloseReport path={path} language={report.language} />
            ) : (
              <p className="s muted">
                {report.closed_reason}
                {report.has_account && (
                  <>
                    {' · '}
                    <Link to={`/desk/messages/${report.id}`}>{t`Answer to the reader`}</Link>
                  </>
                )}
              </p>
            )}
          </li>
        );
      })}
      {more > 0 && (
        <li className="s muted">
          {plural(more, { one: 'One older report is not shown', other: '# older reports are not shown' })}
        </li>
      )}
    </ul>
  );
}

/** The button that closes a report. The answer goes to the reader, the reason stays with the staff. */
function CloseReport({ path, language }: { path: string; language: Language | null }) {
  const [answer, setAnswer] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const hasAccount = language !== null;
  const usual = useUsualAnswers(language);
  return (
    <ActButton
      path={`${path}/close`}
      {...(hasAccount && { body: { answer } })}
      label={t`Close report`}
      title={t`Close this report?`}
      schema={TenderStages}
      usualReasons={[t`Corrected`, t`The portal says the same`, t`Not understood`]}
      done={() => (hasAccount ? t`The report is closed, and the reader has the answer` : t`The report is closed`)}
      // An answer cannot be taken back.
      undo={() => (hasAccount ? undefined : { path: `${path}/reopen` })}
    >
      {hasAccount ? (
        <>
          <Field label={t`Answer to the reader`} hint={t`goes to the app and by mail`}>
            {(control) => (
              <TextArea
                {...control}
                ref={field}
                rows={3}
                maxLength={MAX_SUPPORT_TEXT}
                required
                value={answer}
                onChange={({ target }) => setAnswer(target.value)}
              />
            )}
          </Field>
          {answer === '' && usual.length > 0 && (
            <div className="row" lang={language}>
              {usual.map((text) => (
                <Button
                  key={text}
                  onClick={() => {
                    setAnswer(text);
                    // This button leaves.
                    field.current?.focus();
                  }}
                >
                  {text}
                </Button>
              ))}
            </div>
          )}
        </>
      ) : (
        <p className="s muted">{t`The reader was not signed in and gets no answer.`}</p>
      )}
    </ActButton>
  );
}

/** Usual answers in the reader's language; none until its texts are loaded. */
function useUsualAnswers(language: Language | null): string[] {
  const [loaded, setLoaded] = useState<Language>();
  useEffect(() => {
    if (language !== null)
      void loadLanguage(language).then(
        () => setLoaded(language),
        () => undefined,
      );
  }, [language]);
  if (loaded === undefined || loaded !== language) return [];
  return inLanguage(loaded, () => [
    t`We have corrected it. Thank you for telling us.`,
    t`We kept it, because the portal says the same. Thank you for telling us.`,
  ]);
}
