import { t } from '@lingui/core/macro';
import { formatDateTime } from '@nivida/contract/format';
import { type Incident, textInLanguage } from '@nivida/contract/site/status';
import { Status } from '../../../ui/display/Status.tsx';
import { langOf } from '../../../ui/words/lang-of.ts';
import css from './IncidentList.module.css';

function Said({ at, text }: { at: string; text: string }) {
  return (
    <li>
      <p className="xs muted">
        <time dateTime={at}>{formatDateTime(at)}</time>
      </p>
      <p lang={langOf(text)}>{text}</p>
    </li>
  );
}

/** Incidents with what was said of them, newest first. */
export function IncidentList({ incidents }: { incidents: readonly Incident[] }) {
  return (
    <ol className={css.incidents}>
      {incidents.map(({ id, started_at, ended_at, updates }) => (
        <li key={id}>
          <h3>
            {ended_at === null ? (
              <Status tone="amber" label={t`Since ${formatDateTime(started_at)}`} />
            ) : (
              <Status tone="gray" label={t`${formatDateTime(started_at)} to ${formatDateTime(ended_at)}`} />
            )}
          </h3>
          <ol>
            {updates.map(({ at, texts }) => (
              <Said key={`${at} ${texts.en}`} at={at} text={textInLanguage(texts)} />
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}
