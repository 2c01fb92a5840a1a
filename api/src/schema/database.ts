/** Opens and migrates the configured database. It is the embedded one when no URL is set. */
import type { DataSource } from 'typeorm';
import type { Config } from '../base/config.ts';
import { type EmbeddedPostgresEvents, openEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { createDataSource, type DatabaseAddress, migrate } from './data-source.ts';

/** An open, migrated database. `close` also stops the embedded server if this process started it. */
export interface Database {
  address: DatabaseAddress;
  dataSource: DataSource;
  close(): Promise<void>;
}

/** Connects and migrates; several processes may do so at once. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  events?: EmbeddedPostgresEvents,
): Promise<Database> {
  const embedded = config.databaseUrl ? undefined : await openEmbeddedPostgres(config.dataDir, events);
  const address = config.databaseUrl ?? (embedded as NonNullable<typeof embedded>).connection;
  const dataSource = createDataSource(address);
  try {
    await dataSource.initialize();
    await migrate(dataSource);
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    await embedded?.stop();
    throw error;
  }
  return {
    address,
    dataSource,
    async close() {
      await dataSource.destroy();
      await embedded?.stop();
    },
  };
}
