/** Opens and migrates the configured database. It is the embedded one when no URL is set. */
import type { DataSource } from 'typeorm';
import type { Config } from '../base/config.ts';
import { type EmbeddedPostgresEvents, openEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { setDirectConnection } from '../database/own-connection.ts';
import { createDataSource, type DatabaseAddress, migrate, SESSION_OPTIONS, toPgOptions } from './data-source.ts';

/** An open, migrated database. `close` also stops the embedded server if this process started it. */
export interface Database {
  address: DatabaseAddress;
  dataSource: DataSource;
  close(): Promise<void>;
}

/** The configured database server. The embedded one is started if no URL is set; `stop` ends it if this process started it. */
export async function openDatabaseServer(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  events?: EmbeddedPostgresEvents,
): Promise<{ address: DatabaseAddress; stop(): Promise<void> }> {
  if (databaseUrl) return { address: databaseUrl, stop: async () => {} };
  const { connection, stop } = await openEmbeddedPostgres(dataDir, events);
  return { address: connection, stop };
}

/** Connects and migrates; several processes may do so at once. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseUrlDirect'>>,
  events?: EmbeddedPostgresEvents,
): Promise<Database> {
  const { address, stop } = await openDatabaseServer(config, events);
  const dataSource = createDataSource(address);
  if (config.databaseUrlDirect)
    setDirectConnection(dataSource, { ...toPgOptions(config.databaseUrlDirect), options: SESSION_OPTIONS });
  try {
    await dataSource.initialize();
    await migrate(dataSource);
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    await stop();
    throw error;
  }
  return {
    address,
    dataSource,
    async close() {
      await dataSource.destroy();
      await stop();
    },
  };
}

/** The settings with the direct address as the only one, for commands that are a session: COPY, snapshots, settings. */
export const withoutPooler = (config: Config): Config => ({
  ...config,
  databaseUrl: config.databaseUrlDirect ?? config.databaseUrl,
  databaseUrlDirect: undefined,
});
