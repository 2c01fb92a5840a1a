/**
 * `requests`: 10,000 requests, most of them malformed, generated from the server's own OpenAPI document and written to real
 * sockets. The server survives them and uses no more memory after 10,000 than after 2,000. About two minutes on two cores.
 * `REQUESTS=500` sends fewer, `SEED=1` others; each run prints its seed.
 */
import * as fc from 'fast-check';
import { type GeneratedRequest, generatedRequests, type OpenApi } from '../test/http/fuzz-requests.ts';
import { type RequestResults, sendAll } from '../test/support/raw-request.ts';
import { fillTenders } from './measure/fill-tenders.ts';
import { getText } from './measure/load.ts';
import { BenchmarkMetrics, log } from './measure/metrics.ts';
import { serveRequests, startRequestServer } from './measure/request-server.ts';
import { inWorkspace, type Workspace } from './measure/workspace.ts';

const REQUESTS = Number(process.env.REQUESTS ?? 10_000);
const WARM_UP = REQUESTS / 5;
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const TENDERS = 20_000;
const MAX_RESPONSE_MS = 10_000;
/** Allowance for caches of limits and prepared statements. */
const MAX_HEAP_GROWTH = 1.15;
const MAX_LISTED_FAILURES = 20;

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('requests');
  const { address, dataSource } = await workspace.createDatabase('requests');
  await fillTenders(dataSource, TENDERS);
  await dataSource.destroy();
  const server = await startRequestServer(workspace, import.meta.filename, address);
  const document: OpenApi = JSON.parse(await getText(`http://127.0.0.1:${server.port}/api/openapi.json`));
  log(`sending ${REQUESTS.toLocaleString('en-IN')} requests of seed ${SEED}`);
  const requests = fc.sample(generatedRequests(document, server.known), { numRuns: REQUESTS, seed: SEED });
  let tokens = server.tokens;
  const send = (some: GeneratedRequest[]) =>
    sendAll(server.port, some, {
      tokens: () => tokens,
      between: async () => {
        tokens = await server.advanceHour();
      },
    });

  const started = performance.now();
  const first = await send(requests.slice(0, WARM_UP));
  const warm = await server.readHealth();
  const rest = await send(requests.slice(WARM_UP));
  const end = await server.readHealth();
  figures.record('seconds', (performance.now() - started) / 1_000);

  const failures = [...first.failures, ...rest.failures];
  for (const { request, what } of failures.slice(0, MAX_LISTED_FAILURES)) log(`${request}\n  ${what}`);
  reportStatuses(figures, [first, rest]);
  figures.check('requests_failed', failures.length, 'most', 0);
  figures.check('unhandled_rejections', end.unhandled, 'most', 0);
  figures.check('slowest_answer_ms', Math.max(first.slowestMs, rest.slowestMs), 'most', MAX_RESPONSE_MS);
  figures.record('heap_mb_when_warm', warm.heapBytes / 1e6);
  figures.check('heap_growth', end.heapBytes / warm.heapBytes, 'most', MAX_HEAP_GROWTH);
  figures.finish('worst');
}

/** Number of responses by status; 0 where the connection ended without one. */
function reportStatuses(figures: BenchmarkMetrics, all: RequestResults[]): void {
  const counts = new Map<number, number>();
  for (const { statuses } of all)
    for (const [status, count] of statuses) counts.set(status, (counts.get(status) ?? 0) + count);
  for (const [status, count] of [...counts].sort()) figures.record(`answered_${status}`, count);
}

const [, , role, address = '', folder = ''] = process.argv;
if (role === 'serve') await serveRequests(JSON.parse(address), folder);
else await inWorkspace(run);
