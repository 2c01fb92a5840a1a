/** Each railway unit numbers its own tenders. If another unit has used a number, the unit's name is added to it. */
import { truncateText } from '@nivida/contract/format';
import type { DataSource } from 'typeorm';
import { foldCell } from '../cells/doubled-cells.ts';
import { ORGANISATIONS_OF_IDS } from '../ingest.sql.ts';
import type { SourceRow } from '../source-tender.ts';

const MAX_UNIT_CHARACTERS = 80;

/** Makes the ids of rows unique within the portal. `isNeeded` is called after the first row is read. */
export async function* distinguishOrganisations(
  rows: AsyncIterable<SourceRow>,
  portal: string,
  isNeeded: () => boolean,
  dataSource: DataSource,
): AsyncGenerator<SourceRow> {
  let owners: Map<string, string> | undefined;
  for await (const row of rows) {
    if (!('tender' in row) || !isNeeded()) {
      yield row;
      continue;
    }
    owners ??= await readOwners(dataSource, portal);
    const { sourceId, organisationChain } = row.tender;
    const organisation = foldCell(organisationChain.join(' '));
    const owner = owners.get(sourceId) ?? organisation;
    owners.set(sourceId, owner);
    const unit = truncateText(organisationChain[0] ?? '', MAX_UNIT_CHARACTERS);
    yield owner === organisation ? row : { ...row, tender: { ...row.tender, sourceId: `${sourceId} (${unit})` } };
  }
}

async function readOwners(dataSource: DataSource, portal: string): Promise<Map<string, string>> {
  const rows: { id: string; organisation: string }[] = await dataSource.query(ORGANISATIONS_OF_IDS, [portal]);
  return new Map(rows.map(({ id, organisation }) => [id, foldCell(organisation)]));
}
