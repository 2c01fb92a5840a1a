import { createHash } from 'node:crypto';
import { constants } from 'node:zlib';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { packedKeys, packOffices } from '@nivida/contract/awards/award-pack';
import type {
  AwardChoice,
  AwardCounts,
  AwardGroupQuery,
  AwardGroupResponse,
  AwardPack,
  AwardQuarter,
  AwardResponse,
  AwardStatesResponse,
  AwardSummary,
  AwardWorksPack,
  CoverageNotice,
  OfficeAwards,
  OfficeReference,
  OfficeResponse,
  RegimeNotice,
  SimilarWorksResponse,
  TenderOfficeResponse,
} from '@nivida/contract/awards/awards';
import { AWARD_CSV_COLUMNS, isOfficeId, MIN_SHARE_AWARDS, VALUE_BANDS } from '@nivida/contract/awards/awards';
import { departmentKey, officeKind, officeName, officeOf } from '@nivida/contract/awards/office';
import { findSimilarWorks, isComparableTitle } from '@nivida/contract/awards/similar-works';
import { csvLine } from '@nivida/contract/csv';
import { indianDay } from '@nivida/contract/format';
import { MAX_INTEGER_ID } from '@nivida/contract/limits';
import { foldDepartment } from '@nivida/contract/regions/fold-name';
import { findDepartment, findRegion, type Region } from '@nivida/contract/regions/regions';
import { portalInfo } from '@nivida/contract/tenders/portals';
import { dayNumber } from '@nivida/contract/time';
import { AppError } from '../base/app-error.ts';
import type { Config } from '../base/config.ts';
import { CLOCK, CONFIG } from '../base/injection-tokens.ts';
import { TtlCache } from '../base/ttl-cache.ts';
import { ReplicaReader } from '../database/replica-reader.ts';
import { BodyCache, type ContentEncoding, compressBrotli } from '../http/body-cache.ts';
import {
  AWARD_BY_ID,
  AWARD_OF_TENDER,
  AWARD_STATES,
  COVERAGE_NOTICES,
  DEPARTMENT_OFFICES,
  type GroupFilter,
  groupChoices,
  groupCounts,
  groupCsv,
  groupFacts,
  groupPortals,
  groupQuarters,
  NEWEST_AWARDS,
  OFFICE_COMPANIES,
  OFFICE_STATISTICS,
  OFFICE_WORKS,
  STATE_DEPARTMENTS,
  STATE_ROW,
  STATE_STATISTICS,
  STATE_WORKS,
  TENDER_SOURCE,
} from './award-reads.sql.ts';
import { officeId } from './award-storage.service.ts';
import { groupAwards } from './group-awards.ts';
import { isCompanyName } from './name-hash.ts';
import type { AwardFacts } from './statistics/award-facts.ts';
import { isCoverageTooLow } from './statistics/office-awards.ts';
import { type KnownRegime, readRegimes } from './statistics/read-regimes.ts';
import { Regimes } from './statistics/regimes.ts';
import { monthsBefore } from './statistics/statistics-day.ts';

/** From this age in months on, an award shows its age first. */
const OLD_MONTHS = 12;
/** How long an answer of the explorer is cached. */
const GROUP_TTL_MS = 60_000;
const MAX_CACHED_GROUPS = 200;
/** The files of several states for devices; past works have up to 10 MB uncompressed. */
const MAX_FILE_CACHE_BYTES = 32 * 1_024 * 1_024;
/** Offices are few and small; past works take 10 seconds at the highest quality. */
const FILE_QUALITY = { offices: constants.BROTLI_MAX_QUALITY, works: 9 } as const satisfies Record<
  AwardFileKind,
  number
>;

type StoredStatistics = Omit<OfficeAwards, 'isOld'>;

interface StateRow {
  state: string;
  computedOn: string;
  isDemonstration: boolean;
  version: string;
}

/** `departments` are the stored names of the requested department; empty for all departments. */
type GroupRow = StateRow & { departments: readonly string[] };

type AwardRow = AwardSummary &
  Pick<AwardResponse['award'], 'sourceTenderId' | 'portal' | 'exclusion'> & {
    officeKey: string | null;
    winner: string | null;
    accepted: number;
    refusedTechnical: number;
    notAdmitted: number;
    importedAt: Date;
  };

interface PackedWork {
  officeId: string;
  id: string;
  tenderId: string | null;
  title: string;
  estimate: number;
  price: number | null;
  knownOn: string | null;
}

/** The files of a state for devices: the statistics of its offices, and its past works. */
export type AwardFileKind = 'offices' | 'works';

/** A file in the encoding of a client. */
export interface AwardFile {
  /** The same for the same version. */
  tag: string;
  body: Buffer;
}

interface OfficeRow {
  office: OfficeReference;
  awards: number;
  lastKnownOn: string | null;
}

type CountsRow = Omit<AwardCounts, 'lists'> &
  Record<'withoutDepartment' | 'withoutDistrict' | 'withoutCategory', number>;

interface TenderSource {
  portal: string;
  sourceId: string;
  state: string;
  title: string;
  organisationChain: string[];
  pincode: string | null;
  estimate: number | null;
}

const ALL_AWARDS: AwardGroupQuery = { department: '', district: '', category: '', band: '' };

/** Reads public awards and statistics. The statements of an answer run one after another, so it uses one connection. */
@Injectable()
export class AwardsService {
  private readonly files = new BodyCache(MAX_FILE_CACHE_BYTES);
  private readonly groups = new TtlCache<AwardGroupResponse>(GROUP_TTL_MS, MAX_CACHED_GROUPS);

  constructor(
    private readonly reader: ReplicaReader,
    @Inject(CLOCK) private readonly now: () => Date,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async states(): Promise<AwardStatesResponse> {
    return { states: await this.query(AWARD_STATES) };
  }

  /** What happened at the office of a tender. NOT_FOUND for an unknown tender. */
  async tenderOffice(id: string): Promise<TenderOfficeResponse> {
    const tender = await this.tender(id);
    const office = officeOf(tender);
    const [award]: AwardSummary[] = await this.query(AWARD_OF_TENDER, [Number(id), this.now()]);
    const [state] = await this.query(STATE_ROW, [tender.state]);
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
    const works: AwardSummary[] = await this.query(OFFICE_WORKS, [
      officeId(tender.state, office.key),
      tender.portal,
      tender.sourceId,
    ]);
    return { works: findSimilarWorks(tender, works) };
  }

  /** The page of one award. */
  async award(id: string): Promise<AwardResponse> {
    if (!isId(id)) throw new AppError('NOT_FOUND', () => t`This award was not found`);
    const [row]: AwardRow[] = await this.query(AWARD_BY_ID, [Number(id)]);
    if (!row) throw new AppError('NOT_FOUND', () => t`This award was not found`);
    const { officeKey, portal, winner, accepted, refusedTechnical, notAdmitted, exclusion, importedAt, ...award } = row;
    const isNamed = winner !== null && this.config.awardNames;
    return {
      award: {
        ...award,
        office: officeKey === null ? null : toOffice(award.state, officeKey, award.department ?? ''),
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
    if (!statistics) throw officeNotFound();
    const { state, department } = statistics.office;
    const group: GroupFilter = { conditions: ['a.office_id = $1'], values: [id, statistics.computedOn] };
    const quarters = await this.quarters(group);
    const newest: AwardSummary[] = await this.query(NEWEST_AWARDS, [id, statistics.computedOn]);
    const companies = await this.companies(id, statistics);
    const regimes = toNotices(await this.regimes(state, statistics.computedOn), [department]);
    const portals = await this.portals({ ...group, values: [id] });
    return { statistics: this.withAge(statistics), quarters, newest, companies, regimes, portals };
  }

  /** The office of a page. NOT_FOUND for an unknown one. */
  async officeReference(id: string): Promise<OfficeReference> {
    const statistics = await this.findStatistics(id);
    if (!statistics) throw officeNotFound();
    return statistics.office;
  }

  /** The listed name of a state, and the department as its awards name it. NOT_FOUND when one of them has no awards. */
  async place(name: string, department: string): Promise<{ state: string; department: string }> {
    const { state, departments } = await this.stateRow(name, department);
    return { state, department: oneName(departments, department) };
  }

  /** The explorer of a state. NOT_FOUND for a state or a department without awards. */
  async group(name: string, filter: AwardGroupQuery): Promise<AwardGroupResponse> {
    const row = await this.stateRow(name, filter.department);
    const key = JSON.stringify([row, filter]);
    return this.groups.get(key, this.now(), () => this.readGroup(row, filter));
  }

  private async readGroup(row: GroupRow, filter: AwardGroupQuery): Promise<AwardGroupResponse> {
    const group = toGroupFilter(row, filter);
    const whole = toGroupFilter(row, ALL_AWARDS);
    const ofDepartment = toGroupFilter(row, { ...ALL_AWARDS, department: filter.department });
    const facts = await this.facts(group);
    const counts = await this.counts(group, whole, ofDepartment);
    const quarters = await this.quarters(group);
    const departments = await this.choices('department', whole);
    const districts = await this.choices('district', ofDepartment);
    const categories = await this.choices('category', ofDepartment);
    const offices: OfficeRow[] =
      filter.department === '' ? [] : await this.query(DEPARTMENT_OFFICES, [row.state, row.departments]);
    const regimes = await this.regimes(row.state, row.computedOn);
    const coverage = await this.coverage(row.state);
    const portals = await this.portals({ conditions: ['a.state = $1'], values: [row.state] });
    const wrong = new Set(coverage.filter(({ isTooLow }) => isTooLow).map(({ statistic }) => statistic));
    return {
      state: row.state,
      filter: { ...filter, department: oneName(row.departments, filter.department) },
      group: this.withAge(groupAwards(facts, row.computedOn, wrong, new Regimes(regimes))),
      quarters,
      departments,
      districts,
      categories,
      offices: offices.map(({ office, ...rest }) => ({ ...office, ...rest })),
      regimes: toNotices(regimes, filter.department === '' ? null : row.departments),
      coverage,
      portals,
      computedOn: row.computedOn,
      isDemonstration: row.isDemonstration,
      counts,
    };
  }

  async officeCsv(id: string): Promise<string> {
    if (!(await this.findStatistics(id))) throw officeNotFound();
    return this.csv({ conditions: ['a.office_id = $1'], values: [id] });
  }

  async stateCsv(name: string, filter: AwardGroupQuery): Promise<string> {
    const { conditions, values } = toGroupFilter(await this.stateRow(name, filter.department), filter);
    // The file holds all years, but PostgreSQL needs a use of the bound day to know its type.
    return this.csv({ conditions: [...conditions, '$2::date IS NOT NULL'], values });
  }

  /** A file of a state for devices. It is read and compressed once for each version. */
  async file(name: string, kind: AwardFileKind, encoding: ContentEncoding): Promise<AwardFile> {
    const row = await this.stateRow(name);
    const tag = createHash('sha256')
      .update(JSON.stringify([kind, row.state, row.version]))
      .digest('hex')
      .slice(0, 32);
    const body = await this.files.get(tag, encoding, async () => {
      const content = JSON.stringify(kind === 'offices' ? await this.pack(row) : await this.packWorks(row));
      return compressBrotli(content, FILE_QUALITY[kind]);
    });
    return { tag, body: body ?? Buffer.of() };
  }

  private async pack({ state, version }: StateRow): Promise<AwardPack> {
    const rows: { statistics: StoredStatistics }[] = await this.query(STATE_STATISTICS, [state]);
    const columns = packOffices(rows.map(({ statistics }) => statistics));
    return { state, version, offices: packedKeys(columns).length, columns };
  }

  /** The past works of a state, among which a device finds similar works. */
  private async packWorks({ state, version }: StateRow): Promise<AwardWorksPack> {
    const rows: PackedWork[] = await this.query(STATE_WORKS, [state]);
    const works = rows.filter(({ title }) => isComparableTitle(title));
    const offices = [...new Set(works.map(({ officeId }) => officeId))];
    const places = new Map(offices.map((id, place) => [id, place]));
    return {
      state,
      version,
      offices,
      works: {
        office: works.map(({ officeId }) => places.get(officeId) ?? 0),
        id: works.map(({ id }) => id),
        tenderId: works.map(({ tenderId }) => tenderId),
        title: works.map(({ title }) => title),
        estimate: works.map(({ estimate }) => estimate),
        price: works.map(({ price }) => price),
        knownOn: works.map(({ knownOn }) => knownOn),
      },
    };
  }

  private async csv(group: GroupFilter): Promise<string> {
    const rows: { cells: string[] }[] = await this.query(groupCsv(group), group.values);
    return [[...AWARD_CSV_COLUMNS], ...rows.map(({ cells }) => cells)].map(csvLine).join('');
  }

  private async tender(id: string): Promise<TenderSource> {
    if (!isId(id)) throw new AppError('NOT_FOUND', () => t`This tender was not found`);
    const [tender]: TenderSource[] = await this.query(TENDER_SOURCE, [Number(id)]);
    if (!tender) throw new AppError('NOT_FOUND', () => t`This tender was not found`);
    return tender;
  }

  private async stateRow(name: string, department = ''): Promise<GroupRow> {
    const region = findRegion(name);
    const [row]: StateRow[] = region ? await this.query(STATE_ROW, [region.state.name]) : [];
    if (!region || !row) throw new AppError('NOT_FOUND', () => t`No awards of this state are known yet`);
    if (department === '') return { ...row, departments: [] };
    const stored: { department: string }[] = await this.query(STATE_DEPARTMENTS, [row.state]);
    const departments = sameDepartments(
      region,
      department,
      stored.map((each) => each.department),
    );
    if (departments.length === 0) throw new AppError('NOT_FOUND', () => t`No awards of this department are known yet`);
    return { ...row, departments };
  }

  private async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.reader.query<Row & Record<string, unknown>>({ text, values });
    return rows;
  }

  private async findStatistics(id: string): Promise<StoredStatistics | null> {
    if (!isOfficeId(id)) return null;
    const [row]: { statistics: StoredStatistics }[] = await this.query(OFFICE_STATISTICS, [id]);
    return row?.statistics ?? null;
  }

  private async facts({ conditions, values }: GroupFilter): Promise<AwardFacts[]> {
    const rows: (AwardFacts & { price: string })[] = await this.query(groupFacts({ conditions, values }), values);
    return rows.map((row) => ({ ...row, price: /^-?\d+$/.test(row.price) ? Number(row.price) : 'no-value' }));
  }

  private quarters(group: GroupFilter): Promise<AwardQuarter[]> {
    return this.query(groupQuarters(group), group.values);
  }

  private async companies(id: string, { awards, computedOn }: StoredStatistics): Promise<OfficeResponse['companies']> {
    if (awards < MIN_SHARE_AWARDS || !this.config.awardNames) return [];
    const rows: OfficeResponse['companies'] = await this.query(OFFICE_COMPANIES, [id, computedOn]);
    return rows.filter(({ name }) => isCompanyName(name));
  }

  /** `whole` is the group for the list of departments; `ofDepartment` is the group for the other lists. */
  private async counts(group: GroupFilter, whole: GroupFilter, ofDepartment: GroupFilter): Promise<AwardCounts> {
    const count = async (each: GroupFilter): Promise<CountsRow> => {
      const [row] = await this.query<CountsRow>(groupCounts(each), each.values);
      if (!row) throw new Error('An aggregate has one row');
      return row;
    };
    const { stored, recent, older, newer, excluded } = await count(group);
    const state = await count(whole);
    const department = await count(ofDepartment);
    return {
      ...{ stored, recent, older, newer, excluded },
      lists: {
        departments: { of: state.recent, unnamed: state.withoutDepartment },
        districts: { of: department.recent, unnamed: department.withoutDistrict },
        categories: { of: department.recent, unnamed: department.withoutCategory },
      },
    };
  }

  private choices(column: Parameters<typeof groupChoices>[0], group: GroupFilter): Promise<AwardChoice[]> {
    return this.query(groupChoices(column, group), group.values);
  }

  private regimes(state: string, until: string): Promise<KnownRegime[]> {
    return readRegimes({ query: (text, values) => this.query(text, values) }, state, until);
  }

  private async coverage(state: string): Promise<CoverageNotice[]> {
    const rows: Omit<CoverageNotice, 'isTooLow'>[] = await this.query(COVERAGE_NOTICES, [state]);
    return rows.map((row) => ({ ...row, isTooLow: isCoverageTooLow({ count: row.covered, of: row.of }) }));
  }

  private async portals(group: GroupFilter): Promise<string[]> {
    const rows: { portal: string }[] = await this.query(groupPortals(group), group.values);
    return rows.map(({ portal }) => portalInfo(portal).name);
  }

  private withAge<T extends { lastKnownOn: string | null }>(statistics: T): T & { isOld: boolean } {
    const { lastKnownOn } = statistics;
    const isOld = lastKnownOn !== null && dayNumber(lastKnownOn) < monthsBefore(indianDay(this.now()), OLD_MONTHS);
    return { ...statistics, isOld };
  }
}

/** The changes of rules for the given departments; null: for the whole state. */
const toNotices = (regimes: readonly KnownRegime[], departments: readonly string[] | null): RegimeNotice[] =>
  regimes
    .map(({ notice }) => notice)
    .filter((notice) => departments === null || notice.department === null || departments.includes(notice.department));

const isId = (id: string): boolean => /^\d{1,10}$/.test(id) && Number(id) <= MAX_INTEGER_ID;
const officeNotFound = () => new AppError('NOT_FOUND', () => t`This office was not found`);

function toOffice(state: string, key: string, department: string): OfficeReference {
  return { id: officeId(state, key), key, name: officeName(key), kind: officeKind(key), department, state };
}

/** The stored names of a department. Awards may store several spellings; tenders have the listed name. */
function sameDepartments(region: Region, name: string, stored: readonly string[]): readonly string[] {
  if (stored.includes(name)) return [name];
  const keyOf = (each: string) => findDepartment(region, each)?.slug ?? foldDepartment(each);
  const wanted = keyOf(name);
  return wanted === '' ? [] : stored.filter((each) => keyOf(each) === wanted);
}

/** The name in addresses and lists: as stored, unless several names mean the department. */
const oneName = ([first, ...others]: readonly string[], asked: string): string =>
  first !== undefined && others.length === 0 ? first : asked;

/** The awards of a state under a filter; $2 is the day of its statistics. */
function toGroupFilter({ state, computedOn, departments }: GroupRow, filter: AwardGroupQuery): GroupFilter {
  const values: unknown[] = [state, computedOn];
  const conditions = ['a.state = $1'];
  const add = (condition: string, value: unknown) => conditions.push(`${condition} $${values.push(value)}`);
  if (filter.department !== '') conditions.push(`a.department = ANY($${values.push(departments)}::text[])`);
  for (const column of ['district', 'category'] as const)
    if (filter[column] !== '') add(`a.${column} =`, filter[column]);
  if (filter.band !== '') {
    const [from, below] = VALUE_BANDS[filter.band];
    add('a.estimate >', from);
    if (below !== null) add('a.estimate <=', below);
  }
  return { conditions, values };
}
