/** Two real database servers: the second is a streaming replica of the first. */
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';

/** The servers live in the folders `primary` and `replica` of this one. */
export async function startReplicatedPostgres(
  folder: string,
): Promise<{ primary: EmbeddedPostgres; replica: EmbeddedPostgres }> {
  // A cluster may be copied after a clean shutdown.
  await (await openEmbeddedPostgres(join(folder, 'primary'))).stop();
  await cp(join(folder, 'primary/postgres'), join(folder, 'replica/postgres'), { recursive: true });
  const primary = await openEmbeddedPostgres(join(folder, 'primary'));
  const { host, port, user } = primary.connection;
  const settings = join(folder, 'replica/postgres');
  await writeFile(join(settings, 'standby.signal'), '');
  await writeFile(
    join(settings, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${host} port=${port} user=${user}'\nwal_retrieve_retry_interval = 100\n`,
  );
  return { primary, replica: await openEmbeddedPostgres(join(folder, 'replica')) };
}
