import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(process.env.E2E_DATA_DIR ?? '', 'used-secrets.txt');

/** Records secrets that no log may contain, for server-log.spec.ts. */
export function noteSecrets(...secrets: string[]): void {
  appendFileSync(FILE, secrets.map((secret) => `${secret}\n`).join(''));
}

/** The secrets that all processes of this run have recorded. */
export function notedSecrets(): string[] {
  return existsSync(FILE) ? readFileSync(FILE, 'utf8').trimEnd().split('\n') : [];
}
