import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(process.env.E2E_DATA_DIR ?? '', 'used-secrets.txt');

/** Remembers what no log may hold, for the look through the log when all journeys are over. */
export function noteSecrets(...secrets: string[]): void {
  appendFileSync(FILE, secrets.map((secret) => `${secret}\n`).join(''));
}

/** All that the journeys of this run have noted, in whatever process. */
export function notedSecrets(): string[] {
  return existsSync(FILE) ? readFileSync(FILE, 'utf8').trimEnd().split('\n') : [];
}
