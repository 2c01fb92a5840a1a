import { t } from '@lingui/core/macro';
import type { ReadFile, TenderFact } from '@nivida/contract/documents/tender-reading';
import { Link } from 'react-router-dom';
import { langOf } from '../../ui/words/lang-of.ts';
import { factSourceText } from './FactLine.tsx';
import { factHash } from './fact-groups.ts';
import css from './RowFacts.module.css';

interface RowFactsProps {
  tenderId: string;
  facts: readonly TenderFact[];
  /** The files of the tender; lines name theirs when there are several. */
  files: readonly ReadFile[];
}

/** What the documents say about one document of a checklist. */
export function RowFacts({ tenderId, facts, files }: RowFactsProps) {
  if (facts.length === 0) return null;
  const notices = files.filter(({ kind }) => kind === 'nit');
  const nameOf = ({ fileId }: TenderFact) =>
    notices.length > 1 ? (files.find(({ id }) => id === fileId)?.name ?? null) : null;
  return (
    <ul className={css.lines}>
      {facts.map((fact) => (
        <li key={fact.id}>
          <Link to={`/tenders/${tenderId}${factHash(fact.id)}`} preventScrollReset>
            {fact.topic === 'originals'
              ? t`Original by hand: ${{ source: factSourceText(fact, nameOf(fact)) }}`
              : factSourceText(fact, nameOf(fact))}
          </Link>
          <q lang={langOf(fact.quote)}>{fact.quote}</q>
        </li>
      ))}
    </ul>
  );
}
