import type { DataSource } from 'typeorm';
import type { StoredMapping } from './mapped-table.ts';
import { PortalMappingEntity } from './portal-mapping.entity.ts';

/** The saved mappings of a portal, or of all, the newest first. */
export function findMappings(dataSource: DataSource, portal?: string): Promise<StoredMapping[]> {
  const where = portal === undefined ? {} : { portal };
  return dataSource.getRepository(PortalMappingEntity).find({ where, order: { portal: 'ASC', version: 'DESC' } });
}
