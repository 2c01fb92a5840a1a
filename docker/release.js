/**
 * `node docker/release.js VERSION`: makes a release of the present commit. It checks first, and changes nothing when a step
 * cannot be done. A step is left out only by `--without STEP`. The commit and its tag are not pushed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = `Usage: node docker/release.js VERSION [--dry-run] [--without STEP]… [--security]

Makes a release: version, CHANGELOG.md, digests of base images, tests, backup and device for upgrade tests, images for amd64
and arm64, list of packages, checksums, commit and tag. The files are in release/VERSION.

--dry-run       lists the steps, and what cannot be done here
--without STEP  leaves out digests, tests, upgrade or images
--security      latest.json says that the release closes a security problem
`;
const ROOT = join(import.meta.dirname, '..');
const WORKSPACES = ['.', 'api', 'api/bench/measure', 'api/contract', 'e2e', 'pwa'];
const PLATFORMS = ['linux/amd64', 'linux/arm64'];
const IMAGES = ['web', 'worker'];
const REGISTRY = 'https://registry-1.docker.io/v2/';
const OPTIONAL = ['digests', 'tests', 'upgrade', 'images'];

const path = (name) => join(ROOT, name);
const read = (name) => readFileSync(path(name), 'utf8');
const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
const tryRun = (program, ...args) => spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
const say = (line) => process.stdout.write(`${line}\n`);

/** Runs a program with its output on this terminal; throws when it fails. */
function run(program, args, env = {}) {
  say(`$ ${[program, ...args].join(' ')}`);
  execFileSync(program, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } });
}

const numbersOf = (version) => version.split('.').map(Number);
const isNewer = (one, other) => {
  const nth = numbersOf(one).findIndex((number, n) => number !== numbersOf(other)[n]);
  return nth >= 0 && numbersOf(one)[nth] > numbersOf(other)[nth];
};

/** Program that builds images for other processors too, or why there is none. */
function findEngine() {
  if (tryRun('docker', 'buildx', 'inspect', '--bootstrap').status === 0 && tryRun('docker', 'info').status === 0) {
    const { stdout } = tryRun('docker', 'buildx', 'inspect');
    const missing = PLATFORMS.filter((platform) => !stdout.includes(platform));
    return missing.length === 0 ? { engine: 'docker' } : { problem: `docker buildx does not build ${missing}` };
  }
  if (tryRun('podman', 'info').status !== 0)
    return { problem: 'neither a Docker engine with buildx nor Podman answers here' };
  const foreign = process.arch === 'arm64' ? 'qemu-x86_64' : 'qemu-aarch64';
  if (existsSync(`/proc/sys/fs/binfmt_misc/${foreign}`)) return { engine: 'podman' };
  return { problem: `Podman cannot run programs of the other processor (install qemu-user-static for ${foreign})` };
}

const arePinned = () => tryRun('node', 'docker/pin-images.js', '--check').status === 0;
const answers = (url) =>
  fetch(url, { signal: AbortSignal.timeout(10_000) }).then(
    () => true,
    () => false,
  );

/** The section of CHANGELOG.md with the changes since the last release. */
const unreleased = () =>
  read('CHANGELOG.md')
    .split(/^(?=## )/m)
    .find((section) => section.startsWith('## Unreleased\n')) ?? '';

/** Each step: its name, `problem` when it cannot be done here, and what it does. */
async function planRelease({ version, without, isSecurity }) {
  const present = JSON.parse(read('package.json')).version;
  const { engine, problem: noEngine } = without.includes('images') ? {} : findEngine();
  const folder = `release/${version}`;
  const date = new Date().toISOString().slice(0, 10);
  const env = { NIVIDA_VERSION: `v${version}` };
  const steps = [
    {
      name: 'tree',
      problem: git('status', '--porcelain') === '' ? undefined : 'there are uncommitted changes',
    },
    {
      name: 'version',
      problem: !isNewer(version, present)
        ? `${version} is not newer than ${present}`
        : git('tag', '--list', `v${version}`) !== '' && `the tag v${version} exists`,
      run: () => setVersion(present, version),
    },
    {
      name: 'changelog',
      problem:
        !/^- /m.test(unreleased()) || !/^### Operator must do$/m.test(unreleased())
          ? 'CHANGELOG.md has no section "Unreleased" with entries and "Operator must do"'
          : undefined,
      run: () =>
        writeFileSync(
          path('CHANGELOG.md'),
          read('CHANGELOG.md').replace('## Unreleased\n', `## ${version} (${date})\n`),
        ),
    },
    {
      name: 'digests',
      problem:
        without.includes('digests') || arePinned() || (await answers(REGISTRY))
          ? undefined
          : `base images have no digest, and ${new URL(REGISTRY).host} does not answer`,
      run: () => arePinned() || run('node', ['docker/pin-images.js']),
    },
    {
      name: 'tests',
      run: () => {
        run('npm', ['test']);
        run('npm', ['run', '-s', 'bench', '--', 'release']);
      },
    },
    {
      name: 'upgrade',
      run: () => {
        run('npm', ['run', '-s', 'build'], env);
        run('npx', ['vitest', 'run', '--project', 'api', 'api/test/operation/upgrade.test.ts'], {
          ...env,
          WRITE_RELEASE_BACKUP: '1',
        });
        run('npm', ['exec', '-w', '@nivida/e2e', '--', 'playwright', 'test', 'site/release-device.spec.ts'], {
          ...env,
          WRITE_RELEASE_DEVICE: '1',
        });
      },
    },
    {
      name: 'packages',
      run: () => {
        mkdirSync(path(folder), { recursive: true });
        const sbom = execFileSync('node', ['docker/sbom.js'], { cwd: ROOT, env: { ...process.env, ...env } });
        writeFileSync(path(`${folder}/sbom.cdx.json`), sbom);
        const latest = { version, published: date, ...(isSecurity && { security: true }) };
        writeFileSync(path(`${folder}/latest.json`), `${JSON.stringify(latest)}\n`);
      },
    },
    {
      name: 'images',
      problem: noEngine,
      run: () => {
        for (const image of IMAGES) buildImage(engine, image, version, folder);
      },
    },
    { name: 'checksums', run: () => writeChecksums(folder) },
    {
      name: 'commit',
      run: () => {
        git('add', '--all');
        git('commit', '--quiet', '-m', `Release ${version}`);
        const isSigned = tryRun('git', 'config', 'user.signingkey').status === 0;
        git('tag', isSigned ? '--sign' : '--annotate', `v${version}`, '-m', `Nivida ${version}`);
        say(
          isSigned ? `The tag v${version} is signed` : `The tag v${version} is not signed: git has no user.signingkey`,
        );
      },
    },
  ];
  return steps.filter(({ name }) => !without.includes(name));
}

/** Writes the version into each package.json and the lock file. */
function setVersion(present, version) {
  const replace = (name, pattern) =>
    writeFileSync(
      path(name),
      read(name).replace(pattern, (text) => text.replace(present, version)),
    );
  for (const folder of WORKSPACES) replace(join(folder, 'package.json'), /^ {2}"version": "[^"]+"/m);
  const lock = JSON.parse(read('package-lock.json'));
  lock.version = version;
  for (const folder of WORKSPACES) lock.packages[folder === '.' ? '' : folder].version = version;
  writeFileSync(path('package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
}

/** One archive in OCI format with the image of every platform. */
function buildImage(engine, image, version, folder) {
  const archive = `${folder}/nivida-${image}-${version}.oci.tar`;
  const name = `nivida-${image}:${version}`;
  const options = ['-f', 'docker/Dockerfile', '--target', image, '--build-arg', `VERSION=v${version}`];
  const platforms = ['--platform', PLATFORMS.join(',')];
  if (engine === 'docker')
    return run('docker', [
      'buildx',
      'build',
      ...options,
      ...platforms,
      '-t',
      name,
      '-o',
      `type=oci,dest=${archive}`,
      '.',
    ]);
  run('podman', ['build', ...options, ...platforms, '--manifest', name, '.']);
  return run('podman', ['manifest', 'push', '--all', name, `oci-archive:${archive}`]);
}

function writeChecksums(folder) {
  const lines = readdirSync(path(folder))
    .filter((name) => name !== 'SHA256SUMS')
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(path(`${folder}/${name}`)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(path(`${folder}/SHA256SUMS`), lines.join(''));
}

function parseOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      'dry-run': { type: 'boolean', default: false },
      without: { type: 'string', multiple: true, default: [] },
      security: { type: 'boolean', default: false },
    },
  });
  const [version = ''] = positionals;
  if (values.help) return undefined;
  if (positionals.length !== 1 || !/^\d+\.\d+\.\d+$/.test(version)) throw new Error('name one version like 1.1.0');
  const unknown = values.without.find((step) => !OPTIONAL.includes(step));
  if (unknown !== undefined) throw new Error(`--without takes ${OPTIONAL.join(', ')}, not ${unknown}`);
  return { version, isDryRun: values['dry-run'], without: values.without, isSecurity: values.security };
}

async function main() {
  const options = parseOptions();
  if (!options) return process.stdout.write(USAGE);
  const { version, isDryRun, without } = options;
  const steps = await planRelease(options);
  const problems = steps.filter(({ problem }) => problem);
  if (isDryRun) {
    for (const { name, problem } of steps) say(problem ? `${name}: cannot be done: ${problem}` : `${name}: ready`);
    for (const name of without) say(`${name}: left out`);
    return;
  }
  for (const { name, problem } of problems) process.stderr.write(`${name}: ${problem}\n`);
  if (problems.length > 0) throw new Error('nothing was changed');
  for (const { name, run: work } of steps) {
    if (!work) continue;
    say(`== ${name}`);
    work();
  }
  say(`Nivida ${version} is committed and tagged here. Left out: ${without.join(', ') || 'nothing'}.`);
  say(
    `Next: sign release/${version}/SHA256SUMS, push commit and tag, publish the files (docs/change-it.md, Make a release).`,
  );
}

await main().catch((error) => {
  process.stderr.write(`${error.message}. See --help\n`);
  process.exitCode = 1;
});
