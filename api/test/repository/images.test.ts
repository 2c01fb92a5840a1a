/** Base images are named by the digest that their registry gives, and a release lists its packages. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');
const FILES = ['Dockerfile', 'pooler/Dockerfile', 'compose.yml', 'compose.dev.yml'];
const TOKEN = 'token-of-a-reader';

const manifestOf = (name: string) => JSON.stringify({ schemaVersion: 2, annotations: { name } });
const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** A registry that serves manifests by tag to holders of its token. `texts` replaces the manifest of a name. */
class Registry {
  readonly texts = new Map<string, string | undefined>();
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', this.origin);
      if (pathname === '/token') {
        const isRead = /^repository:.+:pull$/.test(searchParams.get('scope') ?? '');
        response.end(JSON.stringify({ token: isRead ? TOKEN : 'none' }));
        return;
      }
      const [, name = ''] = /^\/v2\/(.+)\/manifests\/[\w.-]+$/.exec(pathname) ?? [];
      if (request.headers.authorization !== `Bearer ${TOKEN}`) {
        const scope = `repository:${name}:pull`;
        response.setHeader('www-authenticate', `Bearer realm="${this.origin}/token",service="here",scope="${scope}"`);
        response.writeHead(401).end();
        return;
      }
      const manifest = manifestOf(name);
      const text = this.texts.has(name) ? this.texts.get(name) : manifest;
      if (text === undefined || !request.headers.accept?.includes('application/vnd.oci.image.index.v1+json'))
        response.writeHead(404).end();
      else response.setHeader('docker-content-digest', digestOf(manifest)).end(text);
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  listen = () => new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
  close = () => new Promise((done) => this.server.close(done).closeAllConnections());
}

describe('the files of docker', () => {
  const read = (name: string) => readFileSync(join(ROOT, 'docker', name), 'utf8');
  const HEADERS = [
    'Strict-Transport-Security',
    'Content-Security-Policy',
    'X-Content-Type-Options',
    'Referrer-Policy',
    'X-Frame-Options',
    'Cross-Origin-Resource-Policy',
  ];

  test('the proxies put the security headers on their own answers, and on no answer of the app', () => {
    const [caddy, nginx] = [read('Caddyfile'), read('nginx.conf')];
    for (const name of HEADERS) {
      // A question mark: only where the answer has none.
      expect(caddy).toMatch(new RegExp(`^\\t\\t\\?${name} \\S`, 'm'));
      const [, variable] = new RegExp(`^\\tadd_header ${name} \\$(\\w+) always;$`, 'm').exec(nginx) ?? [];
      const upstream = `$upstream_http_${name.toLowerCase().replaceAll('-', '_')}`;
      expect(nginx).toContain(`map ${upstream} $${variable} {\n\t"" `);
    }
    expect(caddy.match(/import security/g)).toHaveLength(2);
    // An `add_header` of a location would replace those of the server.
    expect(nginx.match(/add_header/g)).toHaveLength(HEADERS.length);
  });

  test('the app connects as a role of its own, which the database makes with its data', () => {
    const [compose, secrets] = [read('compose.yml'), read('new-secrets.sh')];
    expect(compose).toContain('POSTGRES_USER: postgres\n');
    expect(compose).toContain('./create-database.sh:/docker-entrypoint-initdb.d/create-database.sh:ro');
    expect(secrets).toContain('DATABASE_URL=postgresql://nivida:$password@database:5432/nivida');
    for (const name of ['database-password', 'database-admin-password']) {
      expect(compose).toContain(`  ${name}: { file: secrets/${name} }`);
      expect(secrets).toContain(`"$made/${name}"`);
    }
    expect(read('create-database.sh')).toContain('CREATE ROLE nivida LOGIN CREATEDB PASSWORD');
  });

  test('compose.logs.yml sends what each service of compose.yml says to the journal', () => {
    const servicesOf = (name: string) => {
      const [, services = ''] = read(name).split(/^services:\n/m);
      return [...(services.split(/^\S/m)[0] ?? '').matchAll(/^ {2}([\w-]+):/gm)].map(([, service]) => service);
    };
    expect(servicesOf('compose.yml')).toContain('pooler');
    expect(servicesOf('compose.logs.yml').toSorted()).toEqual(servicesOf('compose.yml').toSorted());
  });
});

describe('node docker/pin-images.js', () => {
  let folder: string;
  let registry: Registry;
  /** Names of images in the copied files, with the path that the registry knows. */
  let paths: string[];

  beforeEach(async () => {
    registry = new Registry();
    await registry.listen();
    folder = mkdtempSync(join(tmpdir(), 'nivida-pins-'));
    cpSync(join(ROOT, 'docker/pin-images.js'), join(folder, 'pin-images.js'));
    const host = new URL(registry.origin).host;
    const names = new Set<string>();
    for (const file of FILES) {
      const text = readFileSync(join(ROOT, 'docker', file), 'utf8')
        .replaceAll(/@sha256:\w+/g, '')
        .replaceAll(/^(# syntax=|FROM |\s+image: )((?!nivida-)[\w./-]+:[\w.-]+)/gm, (_, before, image) => {
          names.add(image.replace(/:[^:]+$/, ''));
          return `${before}${host}/${image}`;
        });
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    paths = [...names];
  });
  afterEach(async () => {
    await registry.close();
    rmSync(folder, { recursive: true });
  });

  const readFiles = () => FILES.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');

  async function pin(...args: string[]): Promise<{ status: number | null; errors: string }> {
    const child = spawn(process.execPath, [join(folder, 'pin-images.js'), ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [errors, status] = await Promise.all([
      buffer(child.stderr),
      new Promise<number | null>((done) => child.once('exit', done)),
    ]);
    return { status, errors: errors.toString() };
  }

  test('writes the digest of each base image behind its tag, a later run the digest of that day', async () => {
    expect(paths).toEqual(expect.arrayContaining(['node', 'gcr.io/distroless/cc-debian13', 'caddy', 'postgres']));
    const before = readFiles();
    expect(await pin()).toEqual({ status: 0, errors: '' });
    const pinned = readFiles();
    for (const name of paths) {
      const digests = [...pinned.matchAll(new RegExp(`/${name}:[\\w.-]+@(sha256:\\w+)`, 'g'))].map(
        ([, digest]) => digest,
      );
      expect(new Set(digests)).toEqual(new Set([digestOf(manifestOf(name))]));
    }
    expect(pinned.replaceAll(/@sha256:\w{64}/g, '')).toBe(before);
    expect(pinned).toMatch(/image: nivida-web:\S+\n/);
    await pin();
    expect(readFiles()).toBe(pinned);
  });

  test('--check refuses files without digests and accepts them with one', async () => {
    const loose = await pin('--check');
    expect(loose.status).toBe(1);
    for (const name of paths) expect(loose.errors).toContain(`/${name}:`);
    await pin();
    expect(await pin('--check')).toEqual({ status: 0, errors: '' });
  });

  test.each([
    [
      'an image that the registry does not have',
      undefined,
      /postgres:\S+: 127\.0\.0\.1:\d+ answers 404; nothing was written/,
    ],
    [
      'a manifest that does not fit its digest',
      '{"schemaVersion":2}',
      /postgres:\S+: the manifest is not the one of its digest/,
    ],
  ])('%s changes no file', async (_name, text, message) => {
    registry.texts.set('postgres', text);
    const before = readFiles();
    const { status, errors } = await pin();
    expect({ status, errors }).toEqual({ status: 1, errors: expect.stringMatching(message) });
    expect(readFiles()).toBe(before);
  });
});

test('the list of packages has every package that the product depends on, with licence and checksum, and none of development', () => {
  const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'docker/sbom.js')], {
    encoding: 'utf8',
    env: { ...process.env, NIVIDA_VERSION: 'v9.8.7' },
  });
  expect(stderr).toBe('');
  const { metadata, components } = JSON.parse(stdout);
  expect(metadata.component).toMatchObject({ name: 'nivida', version: 'v9.8.7' });
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const listed = new Map<string, { licenses?: unknown[]; hashes: { content: string }[] }>(
    components.map((component: { name: string; version: string }) => [
      `${component.name}@${component.version}`,
      component,
    ]),
  );
  const needed = ['api', 'api/contract', 'pwa'].flatMap((folder) => Object.keys(packages[folder].dependencies ?? {}));
  const external = needed.filter((name) => !name.startsWith('@nivida/'));
  expect(external).toEqual(expect.arrayContaining(['pg', 'jose', 'react', 'valibot']));
  for (const name of external) {
    // A workspace's own copy comes before one at the root, which may be of another version.
    const locked =
      packages[`api/node_modules/${name}`] ?? packages[`pwa/node_modules/${name}`] ?? packages[`node_modules/${name}`];
    const component = listed.get(`${locked.name ?? name}@${locked.version}`);
    expect([name, component?.licenses?.length, component?.hashes[0]?.content.length]).toEqual([name, 1, 128]);
  }
  expect(
    [...listed.keys()].filter((name) => /^(?:vitest|vite|lighthouse|@biomejs|typescript|@typescript)/.test(name)),
  ).toEqual([]);
});
