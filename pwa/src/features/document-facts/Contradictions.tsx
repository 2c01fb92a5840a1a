import { t } from '@lingui/core/macro';
import type { Contradiction, StatedValue } from '@nivida/contract/documents/contradictions';
import { Link } from 'react-router-dom';
import { Note } from '../../ui/feedback/Note.tsx';
import css from './Contradictions.module.css';
import { factHash } from './fact-groups.ts';
import { factValueText, topicLabels } from './fact-labels.ts';

/** 'Portal: ₹23,500', 'nit.pdf, p. 4: ₹24,000', 'Total of boq.xls: ₹11,75,342'. */
function statedText({ source, fileName, page, value }: StatedValue): string {
  const stated = factValueText(value);
  const file = fileName ?? t`Document`;
  if (source === 'portal') return t`Portal: ${stated}`;
  return source === 'boq' ? t`Total of ${file}: ${stated}` : t`${file}, p. ${{ page: page ?? '' }}: ${stated}`;
}

/**
 * Where portal, documents and BOQ name different values, each with its source. A value of a document leads to its line on
 * the tender's page. Renders nothing without any.
 */
export function Contradictions({ tenderId, found }: { tenderId: string; found: readonly Contradiction[] }) {
  if (found.length === 0) return null;
  return (
    <section aria-label={t`Differences between portal and documents`}>
      <Note tone="amber" icon="warning">
        <ul>
          {found.map(({ topic, values }) => (
            <li key={topic} className={css.differing}>
              <b>{t`${{ topic: topicLabels()[topic] }} differs:`}</b>
              {values.map((value) => (
                <span key={`${value.source} ${value.factId}`} className="num">
                  {value.factId === null ? (
                    statedText(value)
                  ) : (
                    <Link to={`/tenders/${tenderId}${factHash(value.factId)}`} preventScrollReset>
                      {statedText(value)}
                    </Link>
                  )}
                </span>
              ))}
            </li>
          ))}
        </ul>
        <p className="xs muted">{t`Ask the office which is right.`}</p>
      </Note>
    </section>
  );
}
