import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';

/** Writes a copy of the secrets that docker/new-secrets.sh generated, with the values that it leaves to the operator. */
export function fillSecrets(generated, filled, databaseUrl) {
  const values = {
    DATABASE_URL: databaseUrl,
    MAIL_URL: 'smtp://127.0.0.1:9',
    PHONEPE_CLIENT_SECRET: 'none',
    PHONEPE_WEBHOOK_SECRET: 'user:password',
  };
  let text = readFileSync(generated, 'utf8');
  for (const [name, value] of Object.entries(values))
    text = text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`);
  writeFileSync(filled, text);
}

/** Checks the version, a page and a refused sign-in of a running web process. */
export async function checkWeb(origin, version) {
  assert.equal((await (await fetch(`${origin}/api/health`)).json()).version, version);
  assert.match(await (await fetch(origin)).text(), /<div id="root"></);
  const refused = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mobileNo: '9876543210', password: 'Not-The-Password-1' }),
  });
  // An unknown number also computes one Argon2 hash, so this proves that the native module is loaded.
  assert.equal(refused.status, 401, await refused.text());
}
