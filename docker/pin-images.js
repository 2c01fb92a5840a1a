/**
 * `node docker/pin-images.js`: asks the registries for the digest of each image that the files of this folder name by a tag,
 * and writes it behind the tag. Dependabot keeps it up to date from then on. `--check` sends no request: it exits with 1 when an
 * image has no digest, or one image has two.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = ['Dockerfile', 'pooler/Dockerfile', 'compose.yml', 'compose.dev.yml'];
// A stage or an image of this repository has no tag, or one with a variable.
const IMAGE = /^(# syntax=|FROM |\s+image: )([\w./:-]+:[\w.-]+)(?:@(sha256:\w+))?(?=\s|$)/gm;
const MANIFEST_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];

/** Registry, path and tag of an image name, as Docker reads it. */
function parseImage(image) {
  const [first, ...rest] = image.split('/');
  const isHost = rest.length > 0 && /[.:]|^localhost$/.test(first);
  const path = isHost ? rest.join('/') : rest.length > 0 ? image : `library/${image}`;
  const host = isHost ? first : 'docker.io';
  const [, name, tag] = /^(.*):([^:]+)$/.exec(path);
  const isLocal = /^(?:localhost|127\.0\.0\.1)(?::|$)/.test(host);
  return {
    origin: `${isLocal ? 'http' : 'https'}://${host === 'docker.io' ? 'registry-1.docker.io' : host}`,
    name,
    tag,
  };
}

/** The digest of what a registry has under a tag: the index of all platforms. */
async function resolveDigest(image) {
  const { origin, name, tag } = parseImage(image);
  const url = `${origin}/v2/${name}/manifests/${tag}`;
  const accept = MANIFEST_TYPES.join(', ');
  let answer = await fetch(url, { headers: { accept } });
  if (answer.status === 401) {
    const token = await fetchToken(answer.headers.get('www-authenticate') ?? '');
    answer = await fetch(url, { headers: { accept, authorization: `Bearer ${token}` } });
  }
  if (!answer.ok) throw new Error(`${image}: ${new URL(url).host} answers ${answer.status}`);
  const digest = `sha256:${createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex')}`;
  const said = answer.headers.get('docker-content-digest');
  if (said !== null && said !== digest) throw new Error(`${image}: the manifest is not the one of its digest ${said}`);
  return digest;
}

/** A token to read, from where the registry says. */
async function fetchToken(challenge) {
  const { realm, service, scope } = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  );
  if (!realm) throw new Error('a registry asks for credentials');
  const url = new URL(realm);
  if (service) url.searchParams.set('service', service);
  if (scope) url.searchParams.set('scope', scope);
  const { token, access_token: other } = await (await fetch(url)).json();
  return token ?? other;
}

/** Digests in the files, by image. */
function readPins(texts) {
  const pins = new Map();
  for (const text of texts)
    for (const [, , image, digest] of text.matchAll(IMAGE))
      pins.set(image, new Set([...(pins.get(image) ?? []), digest]));
  return pins;
}

async function run() {
  const paths = FILES.map((file) => join(import.meta.dirname, file));
  const texts = paths.map((path) => readFileSync(path, 'utf8'));
  const pins = readPins(texts);
  if (process.argv.includes('--check')) {
    const loose = [...pins].filter(([, digests]) => digests.size !== 1 || digests.has(undefined));
    for (const [image] of loose)
      process.stderr.write(`${image} has no digest, or two; run node docker/pin-images.js\n`);
    return loose.length > 0 ? 1 : 0;
  }
  const resolved = new Map();
  for (const image of pins.keys()) resolved.set(image, await resolveDigest(image));
  paths.forEach((path, n) => {
    writeFileSync(
      path,
      texts[n].replaceAll(IMAGE, (_, before, image) => `${before}${image}@${resolved.get(image)}`),
    );
  });
  for (const [image, digest] of resolved) process.stdout.write(`${image}@${digest}\n`);
  return 0;
}

if (process.argv.includes('--help')) {
  process.stdout.write(
    'Usage: node docker/pin-images.js [--check]\n\nWrites the digests of the base images into Dockerfile, compose.yml and compose.dev.yml.\n--check: exits with 1 when an image has no digest\n',
  );
} else {
  process.exitCode = await run().catch((error) => {
    process.stderr.write(`${error.message}${error.cause ? ` (${error.cause.message})` : ''}; nothing was written\n`);
    return 1;
  });
}
