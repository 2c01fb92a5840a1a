/**
 * `faults`: two built web and two built worker processes under faults: processes and database are killed under load, the
 * disk of the packages is full, mail server and push service are away for an hour, clients are slow.
 * `MINUTES=2` kills for two minutes instead of ten, `PARTS=killing,disk` runs only these parts. All processes use the loopback interface.
 */
import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../e2e/support/servers.ts';
import { createDataSource } from '../src/schema/data-source.ts';
import { startMailServer } from '../test/support/mail-server.ts';
import { startPushService } from '../test/support/push-service.ts';
import { checkFullDisk } from './measure/faults/full-disk.ts';
import { checkOutage } from './measure/faults/outage.ts';
import { checkProcessKills } from './measure/faults/process-kills.ts';
import { ServerProcesses, serverSettings } from './measure/faults/server-processes.ts';
import { checkSlowClients } from './measure/faults/slow-clients.ts';
import { signInClients, storeTendersForSale, type Workload } from './measure/faults/workload.ts';
import { BenchmarkMetrics, log } from './measure/metrics.ts';
import { inWorkspace, type Workspace } from './measure/workspace.ts';

const MINUTES = Number(process.env.MINUTES ?? 10);
const PHONES = 160;
const TENDERS = 60;

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('faults');
  const database = await workspace.createDatabase('faults');
  const mails = await startMailServer();
  const pushes = await startPushService();
  const trusted = join(workspace.folder, 'certificate.pem');
  await writeFile(trusted, pushes.certificate);
  const sandboxPort = await freePort();
  const tenderIds = await storeTendersForSale(database.dataSource, TENDERS);
  const phones = await signInClients(database.dataSource, database.address, PHONES);
  await database.dataSource.destroy();
  const env = serverSettings(database, {
    MAIL_URL: mails.url,
    PUSH_ALLOWED_HOSTS: pushes.host,
    NODE_EXTRA_CA_CERTS: trusted,
    PAYMENT_SANDBOX_PORT: String(sandboxPort),
  });
  const open = () => createDataSource(database.address).initialize();

  log('starting two web and two worker processes');
  const servers = await ServerProcesses.start(workspace, env);
  const workload: Workload = { servers, sandboxPort, clients: phones, tenderIds, mails: mails.received };

  const parts: Record<string, () => Promise<void>> = {
    'slow-clients': () => checkSlowClients(figures, servers),
    outage: () => checkOutage(figures, servers, { mails, pushes, open }),
    killing: () => checkProcessKills(figures, workspace, workload, MINUTES, open),
    disk: () => checkFullDisk(figures, workspace, env, tenderIds),
  };
  const names = process.env.PARTS?.split(',') ?? Object.keys(parts);
  try {
    for (const [name, part] of Object.entries(parts)) if (names.includes(name)) await part();
  } finally {
    await servers.end();
  }

  figures.finish('worst');
  await pushes.close();
  await mails.close();
}

await inWorkspace(run);
