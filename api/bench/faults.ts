/**
 * `faults`: two built web and two built worker processes under faults: processes and database are killed under load, the
 * disk of the packages is full, mail server and push service are away for an hour, clients are slow.
 * `MINUTES=2` kills for two minutes instead of ten, `PARTS=killing,disk` runs only these parts. All processes use the loopback interface.
 */
import 'reflect-metadata';
import { freePort } from '../../e2e/support/servers.ts';
import { createDataSource } from '../src/schema/data-source.ts';
import { checkFullDisk } from './measure/harness/full-disk.ts';
import { checkOutage } from './measure/harness/outage.ts';
import { startOutsideServices } from './measure/harness/outside-services.ts';
import { checkProcessKills } from './measure/harness/process-kills.ts';
import { ServerProcesses, serverSettings } from './measure/harness/server-processes.ts';
import { checkSlowClients } from './measure/harness/slow-clients.ts';
import { signInClients, storeTendersForSale, type Workload } from './measure/harness/workload.ts';
import { BenchmarkMetrics, log, runParts } from './measure/metrics.ts';
import { inWorkspace, type Workspace } from './measure/workspace.ts';

const MINUTES = Number(process.env.MINUTES ?? 10);
const PHONES = 160;
const TENDERS = 60;

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('faults');
  const database = await workspace.createDatabase('faults');
  const services = await startOutsideServices(workspace);
  const sandboxPort = await freePort();
  const tenderIds = await storeTendersForSale(database.dataSource, TENDERS);
  const phones = await signInClients(database.dataSource, database.address, PHONES);
  await database.dataSource.destroy();
  const env = serverSettings(database, {
    ...services.env,
    PAYMENT_SANDBOX_PORT: String(sandboxPort),
  });
  const open = () => createDataSource(database.address).initialize();

  log('starting two web and two worker processes');
  const servers = await ServerProcesses.start(workspace, env);
  const workload: Workload = { servers, sandboxPort, clients: phones, tenderIds, mails: services.mails.received };

  try {
    await runParts({
      'slow-clients': () => checkSlowClients(figures, servers),
      outage: () => checkOutage(figures, servers, { ...services, open }),
      killing: () => checkProcessKills(figures, workspace, workload, MINUTES, open),
      disk: () => checkFullDisk(figures, workspace, env, tenderIds),
    });
  } finally {
    await servers.end();
  }

  figures.finish('worst');
  await services.close();
}

await inWorkspace(run);
