import { t } from '@lingui/core/macro';
import { type AwardGroupResponse, VALUE_BANDS, type ValueBand } from '@nivida/contract/awards/awards';
import { shownOfficeName } from '@nivida/contract/awards/office';
import { formatCount } from '@nivida/contract/format';
import { placeName } from '@nivida/contract/regions/states';
import { portalValueLabel } from '@nivida/contract/tenders/portal-values';
import type { ReactNode } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { isNotFoundError } from '../../data/server/api.ts';
import { useAwardGroup } from '../../features/awards/award-queries.ts';
import { listSentence, portalsText, storedSentence } from '../../features/awards/award-texts.ts';
import css from '../../features/awards/awards.module.css';
import { OfficeFigures } from '../../features/awards/OfficeFigures.tsx';
import { QuarterTable } from '../../features/awards/QuarterTable.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ChoiceField } from '../../ui/form/Field.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { AwardsError, AwardsLoading } from './AwardPlaceholders.tsx';
import { analysisPage, Trail } from './Trail.tsx';

const bandNames = (): Record<ValueBand, string> => ({
  'up-to-5-lakh': t`up to ₹5 lakh`,
  '5-to-25-lakh': t`₹5 to 25 lakh`,
  '25-lakh-to-1-crore': t`₹25 lakh to 1 crore`,
  'over-1-crore': t`over ₹1 crore`,
});
const FILTER_NAMES = ['department', 'district', 'category', 'band'] as const;

interface ChoiceProps {
  label: string;
  all: string;
  value: string;
  options: readonly { value: string; text: string }[];
  onChange: (value: string) => void;
}

function Choice({ label, all, value, options, onChange }: ChoiceProps) {
  if (options.length === 0) return null;
  return (
    <ChoiceField
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      empty={all}
      options={options.map((option) => [option.value, option.text])}
    />
  );
}

interface CountedChoice {
  name: Exclude<(typeof FILTER_NAMES)[number], 'band'>;
  label: string;
  all: string;
  choicesOf: (answer: AwardGroupResponse) => AwardGroupResponse['departments'];
  textOf: (name: string) => string;
}

/** The choices that show their number of awards. */
const countedChoices = (): readonly CountedChoice[] => [
  {
    name: 'department',
    label: t`Department`,
    all: t`All departments`,
    choicesOf: (of) => of.departments,
    textOf: String,
  },
  { name: 'district', label: t`District`, all: t`All districts`, choicesOf: (of) => of.districts, textOf: placeName },
  {
    name: 'category',
    label: t`Kind of work`,
    all: t`All kinds`,
    choicesOf: (of) => of.categories,
    textOf: portalValueLabel,
  },
];

/** Department, district, kind of work and value. Each choice is in the address. */
function GroupFilter({ answer }: { answer: AwardGroupResponse }) {
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const choose = (name: (typeof FILTER_NAMES)[number]) => (value: string) => {
    const next = new URLSearchParams(parameters);
    if (value === '') next.delete(name);
    else next.set(name, value);
    void navigate({ search: `${next}` }, { preventScrollReset: true });
  };
  return (
    <div className={css.filter}>
      {countedChoices().map(({ name, label, all, choicesOf, textOf }) => (
        <Choice
          key={name}
          label={label}
          all={all}
          value={answer.filter[name]}
          options={choicesOf(answer).map((each) => ({
            value: each.name,
            text: `${textOf(each.name)} (${formatCount(each.awards)})`,
          }))}
          onChange={choose(name)}
        />
      ))}
      <Choice
        label={t`Estimate`}
        all={t`All values`}
        value={answer.filter.band}
        options={(Object.keys(VALUE_BANDS) as ValueBand[]).map((band) => ({ value: band, text: bandNames()[band] }))}
        onChange={choose('band')}
      />
    </div>
  );
}

/** The offices of the chosen department. Without a chosen department, the departments. */
function Places({ answer, state, children }: { answer: AwardGroupResponse; state: string; children: ReactNode }) {
  const { departments, offices, filter } = answer;
  if (filter.department !== '')
    return (
      <Panel stack>
        <h2>{t`Offices`}</h2>
        <ul className={css.list}>
          {offices.map(({ awards, ...office }) => (
            <li key={office.id}>
              <Link to={`/analysis/offices/${office.id}`}>
                {shownOfficeName(office)} <span>{t`${{ count: formatCount(awards) }} awards`}</span>
              </Link>
            </li>
          ))}
        </ul>
        {offices.length === 0 && (
          <p className="muted">{t`No office of this department has awards in this selection.`}</p>
        )}
        {children}
      </Panel>
    );
  return (
    <Panel stack>
      <h2>{t`Departments`}</h2>
      <ul className={css.list}>
        {departments.map(({ name, awards }) => (
          <li key={name}>
            <Link to={`/analysis/${encodeURIComponent(state)}?${new URLSearchParams({ department: name })}`}>
              {name} <span>{t`${{ count: formatCount(awards) }} awards`}</span>
            </Link>
          </li>
        ))}
      </ul>
      {children}
    </Panel>
  );
}

/** Says which stored awards the figures and the lists of choices leave out. */
function LeftOut({ answer, selection }: { answer: AwardGroupResponse; selection: string }) {
  const { counts, filter, computedOn, departments, districts, categories } = answer;
  const state = placeName(answer.state);
  if (!counts) return null;
  const { lists } = counts;
  const ofDepartment = [filter.department, state].filter(Boolean).join(', ');
  const sentences = [
    storedSentence(selection, counts, computedOn),
    listSentence('departments', departments, lists.departments, state),
    listSentence('districts', districts, lists.districts, ofDepartment),
    listSentence('categories', categories, lists.categories, ofDepartment),
  ];
  return sentences.filter(Boolean).map((sentence) => (
    <p key={sentence} className="xs muted">
      {sentence}
    </p>
  ));
}

/**
 * The awards of a state: figures of all awards or of a selection, by quarter, with its departments and
 * offices.
 */
export function AwardState() {
  const { state = '' } = useParams();
  const [parameters] = useSearchParams();
  const query = new URLSearchParams(
    FILTER_NAMES.flatMap((name) => (parameters.get(name) ? [[name, parameters.get(name) ?? '']] : [])),
  );
  const { answer, error, reload } = useAwardGroup(state, `${query}`);
  const place = [
    answer?.filter.department,
    ...[answer?.filter.district, answer?.state].map((name = '') => placeName(name)),
  ]
    .filter(Boolean)
    .join(', ');
  const band = answer?.filter.band;
  const kinds = [portalValueLabel(answer?.filter.category ?? ''), band && t`Estimate ${{ range: bandNames()[band] }}`]
    .filter(Boolean)
    .join(' · ');
  return (
    <div className="page stack">
      <PageMeta
        title={place ? t`Awarded tenders: ${place}` : t`Awarded tenders`}
        description={
          place
            ? t`Bidders, refused bids and award prices of past tenders in ${place}, by office.`
            : t`Bidders, refused bids and award prices of past tenders, by office.`
        }
      />
      {answer && (
        <>
          <header className={css.lead}>
            <Trail pages={[analysisPage()]} />
            <h1>{t`Awarded tenders: ${place}`}</h1>
            {kinds && <p className="muted">{kinds}</p>}
            {answer.isDemonstration && <p className="muted">{t`Demonstration: these awards are generated.`}</p>}
          </header>
          <Panel className={css.filterPanel}>
            <GroupFilter answer={answer} />
          </Panel>
          <div className={`stack ${css.columns}`}>
            <Panel stack>
              <h2>{t`What happened here`}</h2>
              <OfficeFigures statistics={answer.group} place={place} />
              <h2>{t`By quarter`}</h2>
              <QuarterTable
                quarters={answer.quarters}
                regimes={answer.regimes.filter(
                  ({ department }) => department === null || answer.filter.department !== '',
                )}
              />
              <p className="xs muted">
                {portalsText(answer.portals, answer.isDemonstration)}{' '}
                <a href={`/api/awards/states/${encodeURIComponent(state)}.csv${query.size > 0 ? `?${query}` : ''}`}>
                  {t`Awards as CSV`}
                </a>
              </p>
            </Panel>
            <Places answer={answer} state={state}>
              <LeftOut answer={answer} selection={kinds ? `${place} (${kinds})` : place} />
            </Places>
          </div>
        </>
      )}
      {!answer && isNotFoundError(error) && (
        <EmptyState
          heading="h1"
          title={t`No awards known here`}
          actions={<Link to="/analysis">{t`States with awards`}</Link>}
        >
          {t`No data for this state yet.`}
        </EmptyState>
      )}
      {!answer &&
        !isNotFoundError(error) &&
        (error ? <AwardsError error={error} onRetry={reload} /> : <AwardsLoading />)}
    </div>
  );
}
