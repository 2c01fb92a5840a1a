import { t } from '@lingui/core/macro';
import type { AwardSummary, OfficeReference, SimilarWork } from '@nivida/contract/awards/awards';
import { shownOfficeName } from '@nivida/contract/awards/office';
import { formatRupees } from '@nivida/contract/format';
import { placeName } from '@nivida/contract/regions/states';
import type { Tender } from '@nivida/contract/tenders/tender';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { errorMessage, isConnectionError } from '../../data/server/api.ts';
import { Panel } from '../../ui/display/Panel.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import { useSimilarWorks, useTenderOffice } from './award-queries.ts';
import { awardPriceText, bidAdvice, monthText, officeText, similarWorkSentence } from './award-texts.ts';
import { FollowOffice } from './follow/FollowOffice.tsx';
import css from './OfficeBlock.module.css';
import { OfficeFigures, SavedAwardsNote } from './OfficeFigures.tsx';
import { useSavedSimilarWorks, useSavedTenderOffice } from './saved/useSavedAwards.ts';

const departmentPath = ({ state, department }: OfficeReference) =>
  `/analysis/${encodeURIComponent(state)}?${new URLSearchParams({ department })}`;

/** The result of the tender itself. */
function OwnResult({ award }: { award: AwardSummary }) {
  const value = award.awardedValue === null ? null : formatRupees(award.awardedValue);
  const price = award.price === null ? null : awardPriceText(award.price);
  return (
    <p>
      <strong>{t`Result is out.`}</strong>{' '}
      {value !== null && `${price === null ? t`Awarded at ${value}.` : t`Awarded at ${value} (${price}).`} `}
      <Link to={`/awards/${award.id}`}>{t`See the award`}</Link>
    </p>
  );
}

type ShownWork = Pick<SimilarWork, 'id' | 'title' | 'knownOn' | 'price' | 'likeness'>;

function SimilarWorkRow({ work }: { work: ShownWork }) {
  return (
    <li>
      <p>{work.likeness === 'let-before' ? similarWorkSentence(work) : t`A related work of this office:`}</p>
      <Link to={`/awards/${work.id}`} lang={langOf(work.title)}>
        {work.title}
      </Link>
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

/** Past works like this one. They are loaded when the user taps. */
function SimilarWorks({ tender }: { tender: Tender }) {
  const [isRequested, setIsRequested] = useState(false);
  const { answer, error, isLoading, reload } = useSimilarWorks(isRequested ? tender._id : null);
  const saved = useSavedSimilarWorks(tender, isRequested && answer === undefined);
  const works: readonly ShownWork[] | undefined = answer?.works ?? saved?.works;
  if (!isRequested)
    return (
      <button type="button" className={css.more} onClick={() => setIsRequested(true)}>
        {t`Similar past works`}
      </button>
    );
  if (works)
    return (
      <>
        {works.length === 0 && <p className="muted">{t`No similar past work found.`}</p>}
        {works.length > 0 && (
          <ul className={css.works}>
            {works.map((work) => (
              <SimilarWorkRow key={work.id} work={work} />
            ))}
          </ul>
        )}
        {!answer && saved && <SavedAwardsNote savedAt={saved.savedAt} />}
      </>
    );
  if (isLoading || saved === undefined) return <p role="status">{t`Loading similar works…`}</p>;
  return (
    <p role="status">
      {isConnectionError(error)
        ? t`Similar works need a connection, or the past works of ${{ state: placeName(tender.state) }} on this phone: Tenders, “On this phone”.`
        : errorMessage(error, t`Similar works cannot be loaded now.`)}{' '}
      <button type="button" className={css.more} onClick={reload}>
        {t`Try Again`}
      </button>
    </p>
  );
}

/**
 * "What happens at this office": bidders, refused bids and prices of past awards. Shows the device's figures
 * until the server has answered. Renders nothing when no award of the tender's office or department is known.
 */
export function OfficeBlock({ tender }: { tender: Tender }) {
  const { answer } = useTenderOffice(tender._id);
  const saved = useSavedTenderOffice(tender, answer !== undefined);
  const office = answer ? answer.office : (saved?.statistics ?? null);
  const award = answer?.award ?? null;
  if (!office && !award) return null;
  return (
    <Panel className={css.block} aria-labelledby="office" stack>
      <h2 id="office">{t`What happens at this office`}</h2>
      {award && <OwnResult award={award} />}
      {office && (
        <>
          {office.isDemonstration && <p className="xs muted">{t`Demonstration: these awards are generated.`}</p>}
          <OfficeFigures statistics={office} place={officeText(office.office)} advice={bidAdvice(office)} />
          {!answer && saved && <SavedAwardsNote savedAt={saved.savedAt} />}
          <SimilarWorks key={tender._id} tender={tender} />
          {office.office.kind !== 'department' && <FollowOffice office={office.office} />}
          <p className={css.links}>
            {office.office.kind === 'department' ? (
              <Link to={departmentPath(office.office)}>{t`All figures of ${{ name: office.office.department }}`}</Link>
            ) : (
              <Link
                to={`/analysis/offices/${office.office.id}`}
              >{t`All figures of ${{ name: shownOfficeName(office.office) }}`}</Link>
            )}
          </p>
        </>
      )}
    </Panel>
  );
}
