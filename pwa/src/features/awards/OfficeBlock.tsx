import type { AwardSummary, OfficeReference, SimilarWork } from '@nivida/contract/awards/awards';
import { formatRupees } from '@nivida/contract/format';
import type { Tender } from '@nivida/contract/tenders/tender';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { errorMessage } from '../../data/server/api.ts';
import { Panel } from '../../ui/display/Panel.tsx';
import { useSimilarWorks, useTenderOffice } from './award-queries.ts';
import { FollowOffice } from './FollowOffice.tsx';
import css from './OfficeBlock.module.css';
import { OfficeFigures } from './OfficeFigures.tsx';
import { awardPriceText, monthText, officeText, similarWorkSentence } from './wording.ts';

const departmentPath = ({ state, department }: OfficeReference) =>
  `/analysis/${encodeURIComponent(state)}?${new URLSearchParams({ department })}`;

/** The tender's own result. */
function OwnResult({ award }: { award: AwardSummary }) {
  const rate = award.price === null ? '' : ` (${awardPriceText(award.price)})`;
  return (
    <p>
      <strong>Result is out.</strong>{' '}
      {award.awardedValue !== null && `Awarded at ${formatRupees(award.awardedValue)}${rate}. `}
      <Link to={`/awards/${award.id}`}>See the award</Link>
    </p>
  );
}

function SimilarWorkRow({ work }: { work: SimilarWork }) {
  return (
    <li>
      <p>{work.likeness === 'let-before' ? similarWorkSentence(work) : 'A related work of this office:'}</p>
      <Link to={`/awards/${work.id}`}>{work.title}</Link>
      {work.likeness === 'related' && (
        <p className="xs muted">
          {[work.knownOn && monthText(work.knownOn), work.price !== null && awardPriceText(work.price)]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
    </li>
  );
}

/** Past works like this one, requested by a tap. */
function SimilarWorks({ tenderId }: { tenderId: string }) {
  const [isRequested, setIsRequested] = useState(false);
  const { answer, error, isLoading, reload } = useSimilarWorks(isRequested ? tenderId : null);
  if (!isRequested)
    return (
      <button type="button" className={css.more} onClick={() => setIsRequested(true)}>
        Similar past works
      </button>
    );
  if (answer && answer.works.length === 0) return <p className="muted">No similar past work is known here.</p>;
  if (answer)
    return (
      <ul className={css.works}>
        {answer.works.map((work) => (
          <SimilarWorkRow key={work.id} work={work} />
        ))}
      </ul>
    );
  if (isLoading) return <p role="status">Loading similar works…</p>;
  return (
    <p role="status">
      {errorMessage(error, 'Similar works cannot be loaded now.')}{' '}
      <button type="button" className={css.more} onClick={reload}>
        Try Again
      </button>
    </p>
  );
}

/**
 * "What happens at this office": bidders, refused bids and prices of past awards. Nothing where no award of the tender's
 * office or department is known.
 */
export function OfficeBlock({ tender }: { tender: Tender }) {
  const { answer } = useTenderOffice(tender._id);
  if (!answer || (!answer.office && !answer.award)) return null;
  const { office, award } = answer;
  return (
    <Panel className={css.block} aria-labelledby="office" stack>
      <h2 id="office">What happens at this office</h2>
      {award && <OwnResult award={award} />}
      {office && (
        <>
          {office.isDemonstration && <p className="xs muted">Demonstration: these awards are generated.</p>}
          <OfficeFigures statistics={office} place={officeText(office.office)} />
          <SimilarWorks key={tender._id} tenderId={tender._id} />
          {office.office.kind !== 'department' && <FollowOffice office={office.office} />}
          <p className={css.links}>
            {office.office.kind === 'department' ? (
              <Link to={departmentPath(office.office)}>All figures of {office.office.department}</Link>
            ) : (
              <Link to={`/analysis/offices/${office.office.id}`}>All figures of {office.office.name}</Link>
            )}
          </p>
        </>
      )}
    </Panel>
  );
}
