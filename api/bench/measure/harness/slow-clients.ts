/** Clients that send or read one byte a second. Other clients are served, and slow senders are disconnected. */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { latencies } from '../load.ts';
import { type BenchmarkMetrics, log, percentile } from '../metrics.ts';
import type { ServerProcess, ServerProcesses } from './server-processes.ts';

const SLOW_HEADER_CLIENTS = 200;
const SLOW_BODY_CLIENTS = 100;
const SLOW_READERS = 50;
const NORMAL_REQUESTS = 400;
const CONNECTIONS = 8;
const MAX_P99_MS = 1_000;
/** The server's timeout of 15 s and its check every 30 s. */
const MAX_DISCONNECT_MS = 50_000;
const PATHS = ['/api/tenders?limit=20', '/api/regions', '/api/tenders/search?q=footbridge', '/api/site'];

const HEADER_START = 'GET /api/tenders HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
const BODY_START =
  'POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{';
const READ_REQUEST = 'GET /api/regions HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: identity\r\n\r\n';

/** All slow clients use one web process, which also serves the others. */
export async function checkSlowClients(figures: BenchmarkMetrics, servers: ServerProcesses): Promise<void> {
  log(`${SLOW_HEADER_CLIENTS + SLOW_BODY_CLIENTS + SLOW_READERS} slow clients`);
  const [web] = servers.webs as [ServerProcess];
  const { origin } = web;
  await latencies(origin, PATHS, CONNECTIONS, NORMAL_REQUESTS);
  const calm = percentile(await latencies(origin, PATHS, CONNECTIONS, NORMAL_REQUESTS), 0.99);
  const before = await web.memory();
  const senders = [
    ...Array.from({ length: SLOW_HEADER_CLIENTS }, () => sendSlowly(web.port, HEADER_START, 'a')),
    ...Array.from({ length: SLOW_BODY_CLIENTS }, () => sendSlowly(web.port, BODY_START, ' ')),
  ];
  const readers = Array.from({ length: SLOW_READERS }, () => readSlowly(web.port));
  await wait(2_000);
  const started = Date.now();
  const times = await latencies(origin, PATHS, CONNECTIONS, NORMAL_REQUESTS);
  figures.record('p99_ms_without_slow_clients', calm);
  figures.check('p99_ms_beside_slow_clients', percentile(times, 0.99), 'most', MAX_P99_MS);
  figures.record('megabytes_for_slow_clients', ((await web.memory()) - before) / 1e6);
  while (senders.some((socket) => !socket.destroyed) && Date.now() - started < MAX_DISCONNECT_MS) await wait(500);
  figures.check('slow_senders_still_connected', senders.filter((socket) => !socket.destroyed).length, 'most', 0);
  figures.record('seconds_until_slow_senders_are_disconnected', (Date.now() - started) / 1_000);
  for (const socket of [...senders, ...readers]) socket.destroy();
}

/** Sends the start of a request, then one byte a second. */
function sendSlowly(port: number, beginning: string, byte: string): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(beginning));
  const timer = setInterval(() => socket.write(byte), 1_000);
  // The end of the connection is seen only when the response is read.
  socket.resume().on('error', () => {});
  socket.on('close', () => clearInterval(timer));
  return socket;
}

/** Requests a large response and reads one byte a second. */
function readSlowly(port: number): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(READ_REQUEST.repeat(20)));
  const timer = setInterval(() => socket.read(1), 1_000);
  socket.on('error', () => {});
  socket.on('close', () => clearInterval(timer));
  return socket;
}
