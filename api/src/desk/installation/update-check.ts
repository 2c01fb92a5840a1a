import * as v from 'valibot';
import { type Finding, ok, warning } from './findings.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 10_000;

/** What is published at UPDATE_URL; docker/release.js writes it. */
const LatestRelease = v.object({
  version: v.pipe(v.string(), v.regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/)),
  published: v.optional(v.pipe(v.string(), v.isoDate())),
  security: v.optional(v.boolean(), false),
});

/** The numbers of '1.2.3', 'v1.2.3' or 'v1.2.3-4-gabcdef'; undefined for a commit. */
const numbersOf = (version: string): number[] | undefined =>
  /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);

function isNewer(one: string, other: string): boolean {
  const [left = [], right = []] = [numbersOf(one), numbersOf(other)];
  const nth = left.findIndex((number, n) => number !== right[n]);
  return nth >= 0 && (left[nth] as number) > (right[nth] as number);
}

/** Compares `version` with the release at `url`. The request has no query, cookie or header of this installation. */
export async function checkForUpdate(url: string, version: string): Promise<Finding> {
  let latest: v.InferOutput<typeof LatestRelease>;
  try {
    latest = v.parse(LatestRelease, JSON.parse(await fetchText(url)));
  } catch {
    return warning('update', 'UPDATE_URL does not give the latest version. Check the address and outgoing HTTPS');
  }
  const name = `${latest.version}${latest.published ? ` of ${latest.published}` : ''}`;
  if (numbersOf(version) === undefined) return ok('update', `the latest version is ${name}; this build is a commit`);
  if (!isNewer(latest.version, version)) return ok('update', `${name} is the latest version`);
  const kind = latest.security ? ' It closes a security problem.' : '';
  return warning(
    'update',
    `${name} is there.${kind} Read CHANGELOG.md, then install it (docs/operations.md, A new version)`,
  );
}

async function fetchText(url: string): Promise<string> {
  const answer = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json', 'user-agent': 'nivida' },
  });
  if (!answer.ok || !answer.body) throw new Error(`${answer.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
