import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { OfficeAwards, OfficeResponse } from '@nivida/contract/awards/awards';
import { shownOfficeName } from '@nivida/contract/awards/office';
import { formatCount } from '@nivida/contract/format';
import { placeName } from '@nivida/contract/regions/states';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { Link, useParams } from 'react-router-dom';
import { isNotFoundError } from '../../data/server/api.ts';
import { AwardRow } from '../../features/awards/AwardRow.tsx';
import { useOffice } from '../../features/awards/award-queries.ts';
import { officeText, portalsText } from '../../features/awards/award-texts.ts';
import css from '../../features/awards/awards.module.css';
import { FollowOffice } from '../../features/awards/follow/FollowOffice.tsx';
import { OfficeFigures, SavedAwardsNote } from '../../features/awards/OfficeFigures.tsx';
import { QuarterTable } from '../../features/awards/QuarterTable.tsx';
import { useSavedOffice } from '../../features/awards/saved/useSavedAwards.ts';
import { Panel } from '../../ui/display/Panel.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { CopyAwards } from '../lazy-tenders.tsx';
import { AwardsError, AwardsLoading } from './AwardPlaceholders.tsx';
import { analysisPage, Trail } from './Trail.tsx';

/** An office: its figures, its awards by quarter, its newest awards and the companies that won here. */
export function OfficeDetail() {
  const { id = '' } = useParams();
  const { answer, error, reload } = useOffice(id);
  const saved = useSavedOffice(id, answer !== undefined);
  if (!answer && !saved)
    return (
      <div className="page stack">
        <PageMeta {...pageText(PAGES['/analysis/offices/:id'])} />
        {isNotFoundError(error) ? (
          <EmptyState
            heading="h1"
            title={t`No awards known here`}
            actions={<Link to="/analysis">{t`States with awards`}</Link>}
          >
            {t`There is no office at this address.`}
          </EmptyState>
        ) : error && saved === null ? (
          <AwardsError error={error} onRetry={reload} />
        ) : (
          <AwardsLoading />
        )}
      </div>
    );
  const statistics = answer?.statistics ?? saved?.statistics;
  return statistics ? <OfficeView statistics={statistics} answer={answer} savedAt={saved?.savedAt} /> : null;
}

interface OfficeViewProps {
  statistics: OfficeAwards;
  /** Absent while only the device has answered. */
  answer: OfficeResponse | undefined;
  savedAt: Date | undefined;
}

function OfficeView({ statistics, answer, savedAt }: OfficeViewProps) {
  const { office } = statistics;
  const stateName = placeName(office.state);
  const name = shownOfficeName(office);
  const officeLine = [name, office.department, stateName].join(', ');
  const state = `/analysis/${encodeURIComponent(office.state)}`;
  return (
    <div className="page stack">
      <PageMeta
        title={t`Awarded tenders: ${{ place: name }}`}
        description={t`Bidders, refused bids and award prices of past tenders of ${{ office: officeLine }}.`}
      />
      <header className={css.lead}>
        <Trail
          pages={[
            analysisPage(),
            { to: state, name: stateName },
            { to: `${state}?${new URLSearchParams({ department: office.department })}`, name: office.department },
          ]}
        />
        <h1>{name}</h1>
        <p className="muted">
          {office.department}, {stateName}
          {office.kind === 'pin' &&
            `. ${t`The portal names only department and PIN code; several offices may share them.`}`}
        </p>
        {office.kind !== 'department' && <FollowOffice office={office} />}
        {statistics.isDemonstration && <p className="muted">{t`Demonstration: these awards are generated.`}</p>}
      </header>
      <div className={`stack ${css.columns}`}>
        <Panel stack>
          <h2>{t`What happens at this office`}</h2>
          <OfficeFigures statistics={statistics} place={officeText(office)} />
          {!answer && savedAt && <SavedAwardsNote savedAt={savedAt} />}
          {!answer && <p className="s muted">{t`Awards by quarter and the newest awards need a connection.`}</p>}
          {answer && <OfficeQuarters {...answer} />}
        </Panel>
        {answer && answer.newest.length > 0 && <OfficeWinners {...answer} />}
      </div>
    </div>
  );
}

function OfficeQuarters({ statistics: { office, isDemonstration }, quarters, regimes, portals }: OfficeResponse) {
  // A department has no quarters here. Its page in the explorer has them.
  if (quarters.length === 0) return null;
  return (
    <>
      <h2>{t`By quarter`}</h2>
      <QuarterTable quarters={quarters} regimes={regimes} />
      <p className="xs muted">
        {portalsText(portals, isDemonstration)}{' '}
        <a href={`/api/awards/offices/${encodeURIComponent(office.id)}.csv`}>{t`Awards as CSV`}</a>
      </p>
    </>
  );
}

function OfficeWinners({ statistics: { office }, companies, newest }: OfficeResponse) {
  return (
    <Panel stack>
      {companies.length > 0 && (
        <>
          <h2>{t`Companies with awards here`}</h2>
          <ul className={css.list}>
            {companies.map(({ name, awards }) => (
              <li key={name} className={css.company}>
                {name} <span>{t`${{ count: formatCount(awards) }} awards`}</span>
              </li>
            ))}
          </ul>
          <p className="xs muted">
            <Trans>
              Companies in 24 months, by name as published. The same name may be two firms. Persons are not listed.
            </Trans>
          </p>
        </>
      )}
      <h2>{t`Newest awards`}</h2>
      <ul className={css.list}>
        {newest.map((award) => (
          <AwardRow key={award.id} award={award} />
        ))}
      </ul>
      <div className={`under-list ${css.copy}`}>
        <CopyAwards office={office} awards={newest} />
      </div>
    </Panel>
  );
}
