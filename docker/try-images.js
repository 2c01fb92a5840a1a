/**
 * `node docker/try-images.js`: builds the three images of the Dockerfile with Podman from the committed sources and starts
 * them as docker/compose.yml does: read-only, without capabilities, as their own user. Registries are not needed: the base
 * images are stand-ins of Debian (debootstrap), the Node of this process and the npm of this machine; `--pull` takes the real
 * ones. PostgreSQL runs on this machine. Needs root, podman, debootstrap and, where cgroups are of version 1, runc
 * (apt-get install podman debootstrap runc). Takes some minutes; exits with 1 at the first failure.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { openEmbeddedPostgres } from '../api/src/database/embedded-postgres.ts';
import { checkWeb, fillSecrets } from './try-web.js';

if (process.argv.includes('--help')) {
  process.stdout.write('Usage: node docker/try-images.js [--pull]\n\nBuilds the images with Podman and starts them.\n');
  process.exit();
}

const ROOT = join(import.meta.dirname, '..');
const TARGETS = ['web', 'worker', 'sandbox'];
const VERSION = 'v1.2.3-try';
const PULL = process.argv.includes('--pull');
const DEBIAN = 'trixie';
const STAND_IN = `localhost/nivida-${DEBIAN}`;
const EX_CONFIG = 78;
const PATIENCE_MS = 120_000;
/** The user of the product, who is no user of this machine. */
const UID = 65_532;

const folder = mkdtempSync(join(tmpdir(), 'nivida-images-'));
const containers = [];
const say = (line) => process.stdout.write(`${line}\n`);

// crun refuses machines that mount cgroups of version 1.
const RUNTIME = existsSync('/sys/fs/cgroup/cgroup.controllers') ? [] : ['--runtime', 'runc'];
/** Output of a podman command; throws with its errors. */
function podman(...args) {
  const { status, stdout, stderr } = spawnSync('podman', [...RUNTIME, ...args], { encoding: 'utf8', maxBuffer: 1e8 });
  assert.equal(status, 0, `podman ${args.join(' ')}\n${stdout.slice(-4_000)}${stderr.slice(-4_000)}`);
  return stdout.trim();
}
const hasImage = (name) => spawnSync('podman', ['image', 'exists', name]).status === 0;

/** Tags stand-ins with the names of the base images, unless these are here. */
function makeBaseImages(dockerfile) {
  const bases = readFileSync(dockerfile, 'utf8').matchAll(/^FROM (\S+:\S+)/gm);
  const [node, product] = [...bases].map(([, name]) =>
    name.split('/').length > 1 ? name : `docker.io/library/${name}`,
  );
  if (!hasImage(STAND_IN)) {
    say(`Making a base image of Debian ${DEBIAN}`);
    const files = join(folder, DEBIAN);
    execFileSync('debootstrap', ['--variant=minbase', DEBIAN, files], { stdio: ['ignore', 'ignore', 'inherit'] });
    execFileSync('sh', ['-c', `tar -C "${files}" -c . | podman import - ${STAND_IN}`], { stdio: 'ignore' });
    rmSync(files, { recursive: true });
  }
  const context = join(folder, 'node');
  mkdirSync(context);
  cpSync(process.execPath, join(context, 'node'));
  // …/npm/bin/npm-cli.js
  const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
  cpSync(dirname(dirname(npm)), join(context, 'npm'), { recursive: true, dereference: true });
  // Certificates of a proxy between this machine and the registry.
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates) cpSync(certificates, join(context, 'certificates.crt'), { dereference: true });
  const steps = [
    `FROM ${STAND_IN}`,
    'COPY node /usr/local/bin/node',
    'COPY npm /usr/local/lib/node_modules/npm',
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
    ...(certificates ? ['COPY certificates.crt /', 'ENV NODE_EXTRA_CA_CERTS=/certificates.crt'] : []),
  ];
  writeFileSync(join(context, 'Dockerfile'), steps.join('\n'));
  if (!hasImage(node)) podman('build', ...BUILD_OPTIONS, '-t', node, context);
  if (!hasImage(product)) podman('tag', STAND_IN, product);
}

/** Without a namespace of its own for the network and processes a build also runs inside containers and small machines. */
const BUILD_OPTIONS = ['--isolation', 'chroot', '--network', 'host', '--format', 'docker'];

function buildImages(context) {
  for (const target of TARGETS) {
    say(`Building ${target}`);
    podman(
      ...['build', ...BUILD_OPTIONS, PULL ? '--pull' : '--pull=never', '--layers', '--target', target],
      ...['--build-arg', `VERSION=${VERSION}`, '-f', join(context, 'docker/Dockerfile')],
      ...['--ignorefile', join(context, 'docker/Dockerfile.dockerignore'), '-t', imageOf(target), context],
    );
    const [{ Size: size, Config: config }] = JSON.parse(podman('image', 'inspect', imageOf(target)));
    assert.equal(config.User, `${UID}:${UID}`);
    say(`${target}: ${Math.round(size / 1e6)} MB with its base image`);
  }
}

const imageOf = (target) => `localhost/nivida-try-${target}`;

/** Options of every container: as in docker/compose.yml. */
const HARDENED = [
  ...['--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges', '--init=false'],
  ...['--tmpfs', '/tmp:size=256m,mode=1777', '--pids-limit', '200', '--memory', '768m', '--network', 'host'],
  ...['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'],
];

/** Starts a container and returns its name. */
function start(name, target, env, volumes, args = []) {
  const container = `nivida-try-${process.pid}-${name}`;
  containers.push(container);
  const settings = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  const mounts = volumes.flatMap((volume) => ['--volume', volume]);
  podman('run', '--detach', '--name', container, ...HARDENED, ...settings, ...mounts, imageOf(target), ...args);
  return container;
}

const stateOf = (container) => JSON.parse(podman('inspect', '--format', '{{json .State}}', container));

/** Waits until the health check of the image passes. */
async function waitUntilHealthy(container) {
  for (const deadline = Date.now() + PATIENCE_MS; ; await wait(1_000)) {
    if (spawnSync('podman', [...RUNTIME, 'healthcheck', 'run', container]).status === 0) return;
    const { Running: isRunning } = stateOf(container);
    assert.ok(isRunning && Date.now() < deadline, `${container} is not healthy\n${logOf(container)}`);
  }
}

function logOf(container) {
  const { stdout, stderr } = spawnSync('podman', ['logs', container], { encoding: 'utf8' });
  return stdout + stderr;
}

/** Waits until a container has ended and returns its exit code. */
const exitCodeOf = (container) => Number(podman('wait', container));

async function run() {
  const context = join(folder, 'context');
  mkdirSync(context);
  execFileSync('sh', ['-c', `git archive HEAD | tar x -C "${context}"`], { cwd: ROOT });
  if (execFileSync('git', ['status', '--porcelain'], { cwd: ROOT }).length > 0)
    say('Only committed files are tested; there are uncommitted changes.');
  // Podman knows no interval for the time of the start.
  const dockerfile = join(context, 'docker/Dockerfile');
  const text = readFileSync(dockerfile, 'utf8').replaceAll(/ --start-interval=\S+/g, '');
  // Stand-ins have no digest of a registry.
  writeFileSync(dockerfile, PULL ? text : text.replaceAll(/@sha256:\w+/g, ''));
  if (!PULL) makeBaseImages(dockerfile);
  buildImages(context);

  const database = await openEmbeddedPostgres(join(folder, 'postgres'));
  try {
    await tryContainers(database.connection);
  } finally {
    for (const container of containers) spawnSync('podman', ['rm', '--force', '--time', '0', container]);
    await database.stop();
    rmSync(database.connection.host, { recursive: true, force: true });
  }
}

async function tryContainers({ host, port, user, database }) {
  execFileSync('sh', [join(folder, 'context/docker/new-secrets.sh')], { stdio: 'ignore' });
  const secrets = join(folder, 'secrets');
  const databaseUrl = `postgresql://${user}@localhost:${port}/${database}?host=/database`;
  fillSecrets(join(folder, 'context/docker/secrets/nivida'), secrets, databaseUrl);
  const data = join(folder, 'data');
  mkdirSync(data);
  execFileSync('chown', [String(UID), secrets, data]);
  // The socket's folder belongs to the user who started the database.
  execFileSync('chmod', ['755', host]);
  const volumes = [`${secrets}:/run/secrets/nivida:ro`, `${data}:/data`, `${host}:/database`];
  const settings = {
    PUBLIC_ORIGIN: 'https://nivida.example',
    TRUST_PROXY: '1',
    MAIL_FROM: 'Nivida <no-reply@nivida.example>',
    PAYMENT_PROVIDER: 'phonepe',
    PHONEPE_CLIENT_ID: 'none',
    VAPID_SUBJECT: 'mailto:operator@nivida.example',
  };
  say('Starting web and worker as production');
  const web = start('web', 'web', { ...settings, PORT: '38301' }, volumes);
  await waitUntilHealthy(web);
  const worker = start('worker', 'worker', { ...settings, METRICS_PORT: '38302' }, volumes);
  await waitUntilHealthy(worker);
  const origin = 'http://127.0.0.1:38301';
  await checkWeb(origin, VERSION);
  assert.equal((await fetch('http://127.0.0.1:38302/api/ready')).status, 200);
  say('They answer, and their health checks pass');

  const cli = start('cli', 'worker', settings, volumes, ['api/dist/cli.js', 'orders', 'list', '--json']);
  assert.equal(exitCodeOf(cli), 0, logOf(cli));
  const refusing = start('no-sandbox', 'web', { ...settings, PORT: '38303', PAYMENT_PROVIDER: 'sandbox' }, volumes);
  assert.equal(exitCodeOf(refusing), EX_CONFIG, logOf(refusing));
  assert.match(logOf(refusing), /PAYMENT_PROVIDER must not be sandbox in production/);
  // It makes its own secrets, so it needs a database and a folder of its own.
  const client = new Client({ host, port, user, database: 'postgres' });
  await client.connect();
  await client.query('CREATE DATABASE sandbox');
  await client.end();
  const ownData = join(folder, 'data-of-sandbox');
  mkdirSync(ownData);
  execFileSync('chown', [String(UID), ownData]);
  const own = { PORT: '38304', DATABASE_URL: `postgresql://${user}@localhost:${port}/sandbox?host=/database` };
  const sandbox = start('sandbox', 'sandbox', own, [`${ownData}:/data`, `${host}:/database`]);
  await waitUntilHealthy(sandbox);
  say('The payment sandbox runs in its own image only');

  for (const container of [web, worker, sandbox]) {
    podman('stop', '--time', '60', container);
    assert.equal(stateOf(container).ExitCode, 0, `SIGTERM ends ${container} in order\n${logOf(container)}`);
  }
  say('SIGTERM ends them in order');
}

try {
  await run();
  say('All checks passed');
} catch (error) {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();
