/** `node docker/release.js` in a repository of its own with this project's manifests and documents. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');
const MANIFESTS = ['.', 'api', 'api/bench/measure', 'api/contract', 'e2e', 'pwa'].map((name) =>
  join(name, 'package.json'),
);
const IMAGES = ['Dockerfile', 'pooler/Dockerfile', 'compose.yml', 'compose.dev.yml'];
const TOOLS = ['release.js', 'sbom.js', 'pin-images.js', ...IMAGES].map((name) => join('docker', name));
/** Steps that need registries, a Docker engine or an hour. */
const WITHOUT_SLOW = ['digests', 'tests', 'upgrade', 'images'].flatMap((name) => ['--without', name]);
const CHANGES = '### Added\n\n- Walks.\n\n### Operator must do\n\n- Nothing.\n';

let folder: string;
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nivida-release-'));
  for (const name of [...MANIFESTS, ...TOOLS, 'package-lock.json', '.gitignore'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'CHANGELOG.md'), `# Changelog\n\n## Unreleased\n\n${CHANGES}\n## 1.0.0\n\n- Before.\n`);
  git('init', '--quiet');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.org');
  commit();
});
afterEach(() => rmSync(folder, { recursive: true }));

function commit() {
  git('add', '--all');
  git('commit', '--quiet', '-m', 'State');
}

function release(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('node', ['docker/release.js', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('makes commit, tag, list of packages, latest.json and checksums of a version', () => {
  expect(release('9.8.0', '--security', ...WITHOUT_SLOW)).toMatchObject({ status: 0, stderr: '' });
  expect(git('describe', '--exact-match')).toBe('v9.8.0');
  expect(git('log', '-1', '--format=%s')).toBe('Release 9.8.0');
  expect(git('status', '--porcelain')).toBe('');
  for (const name of MANIFESTS) expect(JSON.parse(read(name)).version).toBe('9.8.0');
  const { version, packages } = JSON.parse(read('package-lock.json'));
  expect([version, packages[''].version, packages['api/contract'].version]).toEqual(['9.8.0', '9.8.0', '9.8.0']);
  expect(git('diff', '--numstat', 'HEAD~1', '--', 'package-lock.json')).toBe('7\t7\tpackage-lock.json');
  expect(read('CHANGELOG.md')).toMatch(/^## 9\.8\.0 \(\d{4}-\d\d-\d\d\)\n\n### Added$/m);
  const latest = JSON.parse(read('release/9.8.0/latest.json'));
  expect(latest).toEqual({
    version: '9.8.0',
    published: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    security: true,
  });
  const sbom = read('release/9.8.0/sbom.cdx.json');
  expect(JSON.parse(sbom).metadata.component.version).toBe('v9.8.0');
  expect(read('release/9.8.0/SHA256SUMS')).toContain(
    `${createHash('sha256').update(sbom).digest('hex')}  sbom.cdx.json\n`,
  );
});

test.each([
  ['an older version', '1.0.0', () => {}, 'version: 1.0.0 is not newer than '],
  ['uncommitted changes', '9.8.0', () => writeFileSync(join(folder, 'x'), ''), 'tree: there are uncommitted changes'],
  ['a tag that exists', '9.8.0', () => git('tag', 'v9.8.0'), 'version: the tag v9.8.0 exists'],
  [
    'a CHANGELOG that does not say what operators must do',
    '9.8.0',
    () => {
      writeFileSync(
        join(folder, 'CHANGELOG.md'),
        '# Changelog\n\n## Unreleased\n\n- Walks.\n\n## 1.0.0\n\n- Before.\n',
      );
      commit();
    },
    'changelog: CHANGELOG.md has no section "Unreleased" with entries and "Operator must do"',
  ],
])('%s is refused, and nothing is changed', (_name, version, prepare, problem) => {
  prepare();
  const before = [git('rev-parse', 'HEAD'), git('status', '--porcelain')];
  const { status, stderr } = release(version, ...WITHOUT_SLOW);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(problem) });
  expect(stderr).toContain('nothing was changed');
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain')]).toEqual(before);
});

test('--dry-run lists every step and changes nothing', () => {
  const { status, stdout } = release('9.8.0', '--dry-run', '--without', 'digests', '--without', 'images');
  expect(status).toBe(0);
  expect(stdout.trim().split('\n')).toEqual([
    'tree: ready',
    'version: ready',
    'changelog: ready',
    'tests: ready',
    'upgrade: ready',
    'packages: ready',
    'checksums: ready',
    'commit: ready',
    'digests: left out',
    'images: left out',
  ]);
  expect(git('status', '--porcelain')).toBe('');
});
