/** Reports organisations of a file that are no known departments. Filters, alerts and rules of bidding need known ones. */
import { formatCount } from '@nivida/contract/format';
import { findRegion } from '@nivida/contract/regions/regions';
import { portalInfo } from '@nivida/contract/tenders/portals';
import type { KeptRow, SourceRow } from './source-tender.ts';
import { findListedDepartment } from './stored-row.ts';

const MAX_NAMES = 10;
/** Share of unknown departments from which a known portal's file is reported. */
const MAX_UNKNOWN_SHARE = 0.05;

/** Counts the tenders of one file without a known department. */
export class KnownDepartments {
  private tenders = 0;
  private readonly unknown = new Map<string, number>();

  /** Passes the rows through and counts them. Each call starts a new count. */
  async *count<Row extends SourceRow | KeptRow>(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
    this.tenders = 0;
    this.unknown.clear();
    for await (const row of rows) {
      if ('tender' in row) this.add(row.tender.state, row.tender.organisationChain);
      yield row;
    }
  }

  private add(state: string, chain: readonly string[]): void {
    this.tenders++;
    const region = findRegion(state);
    if (!region || findListedDepartment(region, chain) !== null) return;
    const name = chain[0] ?? '';
    this.unknown.set(name, (this.unknown.get(name) ?? 0) + 1);
  }

  /** The sentence for a file of an unknown portal or with many unknown names; undefined for any other file. */
  report(portal: string | undefined): string | undefined {
    const count = [...this.unknown.values()].reduce((sum, each) => sum + each, 0);
    const isKnownPortal = portal === undefined || portalInfo(portal).address !== null;
    if (count === 0 || (isKnownPortal && count <= this.tenders * MAX_UNKNOWN_SHARE)) return undefined;
    const names = [...this.unknown].sort(([, one], [, other]) => other - one);
    const commonest = names.slice(0, MAX_NAMES).map(([name, tenders]) => `"${name}" ${formatCount(tenders)}`);
    const rest = names.length > MAX_NAMES ? [`${formatCount(names.length - MAX_NAMES)} more names`] : [];
    const share = ((count / this.tenders) * 100).toFixed(1);
    return `${formatCount(count)} of ${formatCount(this.tenders)} tenders (${share} %) have no known department: ${[...commonest, ...rest].join(', ')}`;
  }
}
