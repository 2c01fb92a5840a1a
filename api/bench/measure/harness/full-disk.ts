/**
 * The disk of the document packages is full. The process gets a tmpfs of 3 MB in its own mount namespace, which needs no
 * root. Where that is not allowed, this part is skipped with a message.
 */

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type BenchmarkMetrics, log } from '../metrics.ts';
import type { Workspace } from '../workspace.ts';
import { post, ServerProcess, ServerProcesses } from './server-processes.ts';
import { packageOrder, payInSandbox } from './workload.ts';

const DISK = '3m';
const BUYERS = 10;
const MAX_WAIT_MS = 120_000;
/** Runs the command of the other arguments with a small disk at the path of the first. */
const SMALL_DISK_COMMAND = [
  ...['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c'],
  `mount -t tmpfs -o size=${DISK} tmpfs "$0" && exec "$@"`,
];

/** Sells on a full disk, then frees space. */
export async function checkFullDisk(
  figures: BenchmarkMetrics,
  workspace: Workspace,
  env: NodeJS.ProcessEnv,
  tenderIds: readonly number[],
): Promise<void> {
  log('the disk of the packages is full');
  const folder = join(workspace.folder, 'small');
  await mkdir(folder);
  const before = [...SMALL_DISK_COMMAND, folder];
  const [command = '', ...rest] = before;
  if (spawnSync(command, [...rest, 'true']).status !== 0) return log('this machine mounts no disk: left out');
  const sandboxPort = Number(env.PAYMENT_SANDBOX_PORT);
  const settings = { ...env, ROLE: 'all', FILES_URL: `file://${folder}` };
  const member = await ServerProcess.start(workspace, 'web', settings, before);
  const servers = new ServerProcesses([member]);
  // Only that process sees the small disk.
  const disk = join('/proc', String(member.pid), 'root', folder);
  const filler = join(disk, 'filler');
  await fillDisk(filler);

  const keys = Array.from({ length: BUYERS }, () => randomUUID());
  const order = async (n: number): Promise<Response> => {
    const body = packageOrder(String(tenderIds[n]), `disk${n}@builders.example`);
    const signal = AbortSignal.timeout(MAX_WAIT_MS);
    return member.request('/api/create-order', { ...post(body, { 'idempotency-key': keys[n] ?? '' }), signal });
  };
  const refused = await Promise.all(keys.map(async (_, n) => (await order(n)).status));
  log(`status of the order requests: ${[...new Set(refused)].join(', ')}`);
  figures.check('orders_accepted_on_a_full_disk', refused.filter((status) => status < 400).length, 'most', 0);
  const others = await Promise.all(
    ['/api/tenders?limit=20', '/api/health', '/api/tenders/search?q=road', '/api/regions'].map((path) =>
      servers.request(path),
    ),
  );
  figures.check('other_calls_unanswered', others.filter(({ status }) => status !== 200).length, 'most', 0);
  figures.check('partial_files', (await listFiles(disk)).filter((name) => name !== 'filler').length, 'most', 0);

  await rm(filler);
  const paid = await Promise.all(
    keys.map(async (_, n) => {
      const answer = await order(n);
      if (answer.status !== 200) return undefined;
      const { orderId } = (await answer.json()) as { orderId: string };
      await payInSandbox(sandboxPort, orderId, MAX_WAIT_MS);
      return orderId;
    }),
  );
  const ids = paid.filter((id) => id !== undefined);
  const isPaid = async (id: string) =>
    ((await (await servers.request(`/api/status-check?id=${id}`)).json()) as { status: string }).status === 'SUCCESS';
  let left = ids;
  for (const end = Date.now() + MAX_WAIT_MS; left.length > 0 && Date.now() < end; await wait(1_000)) {
    const states = await Promise.all(left.map(isPaid));
    left = left.filter((_, at) => !states[at]);
  }
  figures.check('orders_paid_after_space_was_freed', ids.length - left.length, 'least', BUYERS);
  await servers.end();
}

async function fillDisk(path: string): Promise<void> {
  const piece = Buffer.alloc(4_096);
  for (;;)
    try {
      await writeFile(path, piece, { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
      throw error;
    }
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
