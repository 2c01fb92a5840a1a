/**
 * `npm run dev`: the app on PORT (3000) by Vite's dev server, the API behind it on PORT + 1, rebuilt and restarted when a file
 * changes. Ctrl-C stops everything, and nothing outlives this process.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

if (process.argv.includes('--help')) {
  process.stdout.write(
    'Usage: npm run dev\n\nStarts app and API with reload on PORT (3000). Ctrl-C stops everything.\n',
  );
  process.exit();
}

const root = join(import.meta.dirname, '..');
const vite = join(root, 'node_modules/vite/bin/vite.js');
const port = Number(process.env.PORT ?? 3000);

// Each child ends itself when its channel to this process closes, even by kill -9; `node --watch` would stay behind.
const leash = 'data:text/javascript,process.once("disconnect",()=>process.kill(process.pid,"SIGTERM"))';

function start(folder, args, { env = {}, stdout = 'inherit', detached = false } = {}) {
  return spawn(process.execPath, ['--import', leash, ...args], {
    cwd: join(root, folder),
    env: { ...process.env, ...env },
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
    detached,
  });
}

let api;
let outdated = false;
let stopping = false;

function startApi() {
  outdated = false;
  const env = { PORT: String(port + 1), PUBLIC_ORIGIN: process.env.PUBLIC_ORIGIN ?? `http://localhost:${port}` };
  // Detached: Ctrl-C reaches all of a terminal's processes, but the API is asked once, by stop(), and may close its database.
  api = start('.', [join(root, 'api/dist/main.js')], { env, detached: true });
  api.once('exit', () => {
    api = undefined;
    if (stopping) process.exit();
    if (outdated) startApi();
  });
}

function restartApi() {
  if (!api) return startApi();
  if (!outdated) api.kill();
  outdated = true;
}

function stop() {
  stopping = true;
  if (!api) process.exit();
  api.kill();
}

const build = start('api', [vite, 'build', '--watch', '--logLevel', 'info'], { stdout: 'pipe' });
build.stdout.on('data', (text) => {
  process.stdout.write(text);
  if (!stopping && String(text).includes('built in')) restartApi();
});
const app = start('pwa', [vite, '--port', String(port), '--strictPort'], { env: { API_PORT: String(port + 1) } });

for (const child of [build, app]) child.once('exit', () => stopping || stop());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
