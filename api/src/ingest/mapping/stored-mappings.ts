import type { DataSource } from 'typeorm';
import type { StoredMapping } from './mapped-table.ts';
import { PortalMappingEntity } from './portal-mapping.entity.ts';

/** The saved mappings of a portal, the newest first. */
export function findMappings(dataSource: DataSource, portal: string): Promise<StoredMapping[]> {
  return dataSource.getRepository(PortalMappingEntity).find({ where: { portal }, order: { version: 'DESC' } });
}
