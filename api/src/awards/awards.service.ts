import { Inject, Injectable } from '@nestjs/common';
import type {
  AwardGroupQuery,
  AwardGroupResponse,
  AwardPack,
  AwardQuarter,
  AwardResponse,
  AwardStatesResponse,
  AwardSummary,
  CoverageNotice,
  OfficeAwards,
  OfficeReference,
  OfficeResponse,
  RegimeNotice,
  SimilarWorksResponse,
  TenderOfficeResponse,
} from '@nivida/contract/awards/awards';
import { AWARD_CSV_COLUMNS, isOfficeId, MIN_SHARE_AWARDS, VALUE_BANDS } from '@nivida/contract/awards/awards';
import { departmentKey, officeName, officeOf } from '@nivida/contract/awards/office';
import { indianDay } from '@nivida/contract/format';
import { MAX_INTEGER_ID } from '@nivida/contract/limits';
import { findRegion } from '@nivida/contract/regions/regions';
import { portalInfo } from '@nivida/contract/tenders/portals';
import { DataSource } from 'typeorm';
import type { Config } from '../config.ts';
import { csvLine } from '../http/csv.ts';
import { AppError } from '../http/errors/app-error.ts';
import { CLOCK, CONFIG } from '../http/injection-tokens.ts';
import {
  AWARD_BY_ID,
  AWARD_OF_TENDER,
  AWARD_STATES,
  COVERAGE_NOTICES,
  DEPARTMENT_OFFICES,
  type GroupFilter,
  groupChoices,
  groupCsv,
  groupFacts,
  groupPortals,
  groupQuarters,
  NEWEST_AWARDS,
  OFFICE_COMPANIES,
  OFFICE_STATISTICS,
  OFFICE_WORKS,
  STATE_REGIME_NOTICES,
  STATE_ROW,
  STATE_STATISTICS,
  TENDER_SOURCE,
} from './award-reads.sql.ts';
import { isCoverageTooLow, kindOf } from './award-statistics.job.ts';
import { officeId } from './award-storage.service.ts';
import { groupAwards } from './group-awards.ts';
import { isCompanyName } from './name-hash.ts';
import { findSimilarWorks } from './similar-works.ts';
import type { AwardFacts } from './statistics/award-facts.ts';
import { dayNumber, monthsBefore } from './statistics/day-number.ts';

/** An award older than this many months shows its age first. */
const OLD_MONTHS = 12;

type StoredStatistics = Omit<OfficeAwards, 'isOld'>;

interface StateRow {
  state: string;
  computedOn: string;
  isDemonstration: boolean;
  version: string;
}

interface TenderSource {
  portal: string;
  sourceId: string;
  state: string;
  title: string;
  organisationChain: string[];
  pincode: string | null;
  estimate: number | null;
}

/** Reads awards and statistics for everyone. */
@Injectable()
export class AwardsService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async states(): Promise<AwardStatesResponse> {
    return { states: await this.dataSource.query(AWARD_STATES) };
  }

  /** What happened at the office of a tender. NOT_FOUND for an unknown tender. */
  async tenderOffice(id: string): Promise<TenderOfficeResponse> {
    const tender = await this.tender(id);
    const office = officeOf(tender);
    const [award]: AwardSummary[] = await this.dataSource.query(AWARD_OF_TENDER, [tender.portal, tender.sourceId]);
    const [state] = await this.dataSource.query(STATE_ROW, [tender.state]);
    const statistics =
      office &&
      ((await this.findStatistics(officeId(tender.state, office.key))) ??
        (await this.findStatistics(officeId(tender.state, departmentKey(office.department)))));
    return {
      office: statistics && this.withAge(statistics),
      award: award ?? null,
      stateHasAwards: state !== undefined,
    };
  }

  async similarWorks(id: string): Promise<SimilarWorksResponse> {
    const tender = await this.tender(id);
    const office = officeOf(tender);
    if (!office) return { works: [] };
    const works: AwardSummary[] = await this.dataSource.query(OFFICE_WORKS, [
      officeId(tender.state, office.key),
      tender.portal,
      tender.sourceId,
    ]);
    return { works: findSimilarWorks(tender, works) };
  }

  /** The page of one award. */
  async award(id: string): Promise<AwardResponse> {
    if (!isId(id)) throw notFound('award');
    const [row] = await this.dataSource.query(AWARD_BY_ID, [Number(id)]);
    if (!row) throw notFound('award');
    const { officeKey, portal, winner, accepted, refusedTechnical, notAdmitted, exclusion, importedAt, ...award } = row;
    const isNamed = winner !== null && this.config.awardNames;
    return {
      award: {
        ...award,
        office: officeKey === null ? null : toOffice(award.state, officeKey, award.department),
        portal: portalInfo(portal).name,
        winner: isNamed ? { name: winner, isCompany: isCompanyName(winner) } : null,
        bids: {
          accepted,
          refusedTechnical,
          notAdmitted,
          other: award.bidders - accepted - refusedTechnical - notAdmitted,
        },
        exclusion,
        importedAt: importedAt.toISOString(),
      },
    };
  }

  /** The page of an office. */
  async office(id: string): Promise<OfficeResponse> {
    const statistics = await this.findStatistics(id);
    if (!statistics) throw notFound('office');
    const { state, department } = statistics.office;
    const group: GroupFilter = { conditions: ['a.office_id = $1'], values: [id, statistics.computedOn] };
    const [quarters, newest, companies, regimes, portals] = await Promise.all([
      this.quarters(group),
      this.dataSource.query(NEWEST_AWARDS, [id, statistics.computedOn]),
      this.companies(id, statistics),
      this.regimes(state, department),
      this.portals({ ...group, values: [id] }),
    ]);
    return { statistics: this.withAge(statistics), quarters, newest, companies, regimes, portals };
  }

  /** The explorer of a state. */
  async group(name: string, filter: AwardGroupQuery): Promise<AwardGroupResponse> {
    const row = await this.stateRow(name);
    const group = toGroupFilter(row, filter);
    const whole = toGroupFilter(row, { department: '', district: '', category: '', band: '' });
    const ofDepartment = toGroupFilter(row, { department: filter.department, district: '', category: '', band: '' });
    const [facts, quarters, departments, districts, categories, offices, regimes, coverage, portals] =
      await Promise.all([
        this.facts(group),
        this.quarters(group),
        this.dataSource.query(groupChoices('department', whole), whole.values),
        this.dataSource.query(groupChoices('district', ofDepartment), ofDepartment.values),
        this.dataSource.query(groupChoices('category', ofDepartment), ofDepartment.values),
        filter.department === '' ? [] : this.dataSource.query(DEPARTMENT_OFFICES, [row.state, filter.department]),
        this.regimes(row.state, filter.department || null),
        this.coverage(row.state),
        this.portals({ conditions: ['a.state = $1'], values: [row.state] }),
      ]);
    const changed = regimes.map(({ from }) => from).sort();
    const wrong = new Set(coverage.filter(({ isTooLow }) => isTooLow).map(({ statistic }) => statistic));
    return {
      state: row.state,
      filter,
      group: groupAwards(facts, row.computedOn, wrong, changed.at(-1) ?? null),
      quarters,
      departments,
      districts,
      categories,
      offices: offices.map(({ office, ...rest }: { office: OfficeReference }) => ({ ...office, ...rest })),
      regimes,
      coverage,
      portals,
      computedOn: row.computedOn,
      isDemonstration: row.isDemonstration,
    };
  }

  async officeCsv(id: string): Promise<string> {
    if (!(await this.findStatistics(id))) throw notFound('office');
    return this.csv({ conditions: ['a.office_id = $1'], values: [id] });
  }

  async stateCsv(name: string, filter: AwardGroupQuery): Promise<string> {
    const { conditions, values } = toGroupFilter(await this.stateRow(name), filter);
    // The day is bound but not used: a file holds all years.
    return this.csv({ conditions: [...conditions, '$2::date IS NOT NULL'], values });
  }

  /** The statistics of a state's offices for devices. */
  async pack(name: string): Promise<AwardPack> {
    const { state, version } = await this.stateRow(name);
    const rows: { statistics: StoredStatistics }[] = await this.dataSource.query(STATE_STATISTICS, [state]);
    return { state, version, offices: rows.map(({ statistics }) => this.withAge(statistics)) };
  }

  private async csv(group: GroupFilter): Promise<string> {
    const rows: { cells: string[] }[] = await this.dataSource.query(groupCsv(group), group.values);
    return [[...AWARD_CSV_COLUMNS], ...rows.map(({ cells }) => cells)].map(csvLine).join('');
  }

  private async tender(id: string): Promise<TenderSource> {
    if (!isId(id)) throw notFound('tender');
    const [tender]: TenderSource[] = await this.dataSource.query(TENDER_SOURCE, [Number(id)]);
    if (!tender) throw notFound('tender');
    return tender;
  }

  private async stateRow(name: string): Promise<StateRow> {
    const region = findRegion(name);
    const [row]: StateRow[] = region ? await this.dataSource.query(STATE_ROW, [region.state.name]) : [];
    if (!row) throw new AppError('NOT_FOUND', 'No awards of this state are known yet');
    return row;
  }

  private async findStatistics(id: string): Promise<StoredStatistics | null> {
    if (!isOfficeId(id)) return null;
    const [row]: { statistics: StoredStatistics }[] = await this.dataSource.query(OFFICE_STATISTICS, [id]);
    return row?.statistics ?? null;
  }

  private async facts({ conditions, values }: GroupFilter): Promise<AwardFacts[]> {
    const rows: (AwardFacts & { price: string })[] = await this.dataSource.query(
      groupFacts({ conditions, values }),
      values,
    );
    return rows.map((row) => ({ ...row, price: /^-?\d+$/.test(row.price) ? Number(row.price) : 'no-value' }));
  }

  private quarters(group: GroupFilter): Promise<AwardQuarter[]> {
    return this.dataSource.query(groupQuarters(group), group.values);
  }

  private async companies(id: string, { awards, computedOn }: StoredStatistics): Promise<OfficeResponse['companies']> {
    if (awards < MIN_SHARE_AWARDS || !this.config.awardNames) return [];
    const rows: OfficeResponse['companies'] = await this.dataSource.query(OFFICE_COMPANIES, [id, computedOn]);
    return rows.filter(({ name }) => isCompanyName(name));
  }

  private regimes(state: string, department: string | null): Promise<RegimeNotice[]> {
    return this.dataSource.query(STATE_REGIME_NOTICES, [state, department]);
  }

  private async coverage(state: string): Promise<CoverageNotice[]> {
    const rows: Omit<CoverageNotice, 'isTooLow'>[] = await this.dataSource.query(COVERAGE_NOTICES, [state]);
    return rows.map((row) => ({ ...row, isTooLow: isCoverageTooLow(row.covered, row.of) }));
  }

  private async portals(group: GroupFilter): Promise<string[]> {
    const rows: { portal: string }[] = await this.dataSource.query(groupPortals(group), group.values);
    return rows.map(({ portal }) => portalInfo(portal).name);
  }

  private withAge(statistics: StoredStatistics): OfficeAwards {
    const { lastKnownOn } = statistics;
    const isOld = lastKnownOn !== null && dayNumber(lastKnownOn) < monthsBefore(indianDay(this.now()), OLD_MONTHS);
    return { ...statistics, isOld };
  }
}

const isId = (id: string): boolean => /^\d{1,10}$/.test(id) && Number(id) <= MAX_INTEGER_ID;

const notFound = (thing: string): AppError => new AppError('NOT_FOUND', `This ${thing} was not found`);

function toOffice(state: string, key: string, department: string): OfficeReference {
  return { id: officeId(state, key), key, name: officeName(key), kind: kindOf(key), department, state };
}

/** The awards of a state under a filter; $2 is the day of its statistics. */
function toGroupFilter({ state, computedOn }: StateRow, filter: AwardGroupQuery): GroupFilter {
  const values: unknown[] = [state, computedOn];
  const conditions = ['a.state = $1'];
  const add = (condition: string, value: unknown) => conditions.push(`${condition} $${values.push(value)}`);
  for (const column of ['department', 'district', 'category'] as const)
    if (filter[column] !== '') add(`a.${column} =`, filter[column]);
  if (filter.band !== '') {
    const [from, below] = VALUE_BANDS[filter.band];
    add('a.estimate >', from);
    if (below !== null) add('a.estimate <=', below);
  }
  return { conditions, values };
}
