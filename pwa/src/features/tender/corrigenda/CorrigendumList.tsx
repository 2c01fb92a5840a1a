import { t } from '@lingui/core/macro';
import { formatDay } from '@nivida/contract/format';
import { portalValueLabel } from '@nivida/contract/tenders/portal-values';
import type { Corrigendum } from '@nivida/contract/tenders/tender';
import css from './CorrigendumList.module.css';
import { corrigendumLine, corrigendumRemark } from './corrigendum-lines.ts';

/** The corrigenda, newest first, with old and new values where known. */
export function CorrigendumList({ corrigenda, now }: { corrigenda: readonly Corrigendum[]; now: Date }) {
  if (corrigenda.length === 0) return null;
  const newestFirst = corrigenda.toSorted((a, b) => b.noticed_at.localeCompare(a.noticed_at));
  return (
    <section className={css.changes} id="changes">
      <h2>{t`Changes`}</h2>
      <ol>
        {newestFirst.map((corrigendum) => (
          <li key={`${corrigendum.noticed_at} ${corrigendum.title}`}>
            <h3>
              {portalValueLabel(corrigendum.title)}
              {corrigendum.type && <span className="muted"> · {portalValueLabel(corrigendum.type)}</span>}
            </h3>
            <p className="xs muted">{t`Seen ${formatDay(corrigendum.noticed_at, now)}`}</p>
            {corrigendum.changes.length === 0 ? (
              <p className="s">{corrigendumRemark(corrigendum)}</p>
            ) : (
              <dl>
                {corrigendum.changes.map((change) => {
                  const line = corrigendumLine(change, now);
                  return (
                    <div key={change.field}>
                      <dt>{line.label}</dt>
                      <dd>
                        {line.old === null ? t`Not specified` : <del>{line.old}</del>} <span aria-hidden="true">→</span>{' '}
                        <ins>{line.new ?? t`Not specified`}</ins>
                      </dd>
                    </div>
                  );
                })}
              </dl>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
