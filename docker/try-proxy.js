/** The proxy tests of try.js: the Caddyfile on other ports with a local certificate. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const PATIENCE_MS = 20_000;
/** Number of parallel requests while processes stop and start. */
const BUSY = 8;

/** Tests the proxy in front of the web processes `webs` at `ports`; `restart(n)` restarts one. Both run at the end. */
export async function tryProxy({ folder, origin, ports, webs, restart, assets, largeFile, children, say }) {
  if (spawnSync('caddy', ['version']).error) {
    say('No caddy in the PATH: the proxy was not tried');
    return;
  }
  const caddy = startCaddy({ folder, origin, ports, children });
  const session = await connectTo(origin, folder);
  const ask = (path, options) => request(session, path, options);
  assert.equal(session.alpnProtocol, 'h2');
  assert.ok(session.socket.authorized, 'the certificate');
  say('Proxy: HTTP/2 over TLS');

  const page = await ask('/', { headers: { 'accept-encoding': 'zstd, br, gzip' } });
  assert.deepEqual([page.status, page.headers['content-encoding']], [200, 'br']);
  assert.match(page.headers['strict-transport-security'], /max-age=63072000/);
  assert.equal(page.headers.server, undefined);
  const [script] = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const asset = await ask(`/assets/${script}`, { headers: { 'accept-encoding': 'br' } });
  assert.deepEqual(
    [asset.status, asset.headers['content-encoding'], asset.headers['cache-control']],
    [200, 'br', 'public, max-age=31536000, immutable'],
  );
  say('Proxy: the page and its files come compressed by Brotli, files with a hash in their name are immutable');

  const listed = await ask('/tenders', { headers: { accept: 'application/json' } });
  assert.deepEqual([listed.status, JSON.parse(listed.text).total], [200, 0]);
  assert.match((await ask('/tenders', { headers: { accept: 'text/html' } })).text, /<div id="root"></);
  assert.equal((await ask('/d/none')).status, 404);
  for (const path of ['/api/metrics', '/API/metrics', '/api//metrics', '/api/%6detrics'])
    assert.deepEqual([path, (await ask(path)).text], [path, '']);
  say('Proxy: calls with and without /api, pages and links to documents pass; /api/metrics does not');

  await tryRanges(ask, session, largeFile);
  say('Proxy: a download that broke off goes on by its range');

  const post = (bytes) =>
    ask('/api/auth/login', { method: 'POST', body: JSON.stringify({ mobileNo: '9'.repeat(bytes), password: 'x' }) });
  const tooLarge = await post(40_000);
  assert.deepEqual([tooLarge.status, JSON.parse(tooLarge.text).code], [413, 'INVALID']);
  const refused = await post(2_000_000);
  assert.deepEqual([refused.status, refused.text], [413, '413 Request Entity Too Large']);
  // A part of a file of the desk, and an official document.
  const headers = { 'content-type': 'application/octet-stream' };
  for (const [path, bytes] of [
    ['/api/desk/data/files/1/parts/0', 1_000_000],
    ['/api/desk/documents/1/files', 3_000_000],
  ]) {
    const answer = await ask(path, { method: 'POST', headers, body: 'x'.repeat(bytes) });
    assert.equal(JSON.parse(answer.text).code, 'UNAUTHENTICATED', path);
  }
  say('Proxy: answers of the app to large bodies pass; what is over 1 MB reaches it only where the app takes files');

  // One is killed and restarted; then the other is stopped by SIGTERM, as in an update.
  await withoutFailure(ask, ['GET'], async () => {
    webs[0].child.kill('SIGKILL');
    await wait(3_000);
    webs[0] = await restart(0);
    await wait(3_000);
  });
  await withoutFailure(ask, ['GET', 'POST'], async () => {
    webs[1].child.kill('SIGTERM');
    await once(webs[1].child, 'exit');
    webs[1] = await restart(1);
    await wait(3_000);
  });
  say('Proxy: no request failed when a web process was killed (GET) and when one ended in order (GET and POST)');

  const statuses = new Map();
  // Each of the two processes allows 3,000 searches a minute.
  for (let n = 0; n < 7_000; n += 50) {
    // The proxy ignores forwarding headers of the client.
    const some = Array.from({ length: 50 }, (_, i) =>
      ask('/api/tenders?limit=1', { headers: { 'x-forwarded-for': `203.0.113.${i}` } }),
    );
    for (const { status, headers } of await Promise.all(some)) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 429) assert.match(headers['retry-after'], /^\d+$/);
    }
  }
  assert.deepEqual([...statuses.keys()].sort(), [200, 429]);
  assert.ok(statuses.get(429) >= 200, `${statuses.get(429)} of 7,000 refused`);
  say('Proxy: 429 of the app passes, with its Retry-After; a forwarded address of the client’s own changes nothing');

  session.close();
  caddy.child.kill('SIGTERM');
  await once(caddy.child, 'exit');
  assert.doesNotMatch(caddy.said(), /limit=1|"uri"/, 'addresses in the log of the proxy');
}

function startCaddy({ folder, origin, ports, children }) {
  const { port } = new URL(origin);
  const text = readFileSync(join(import.meta.dirname, 'Caddyfile'), 'utf8');
  // Uses neither the system's trust store nor the ports 80 and 443.
  const options = `skip_install_trust\n\tadmin off\n\tauto_https disable_redirects\n\thttps_port ${port}\n\temail`;
  assert.ok(text.includes('\n\temail'));
  writeFileSync(
    join(folder, 'Caddyfile'),
    text.replace('\n\temail', () => `\n\t${options}`),
  );
  const child = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_DATA_HOME: join(folder, 'caddy'),
      XDG_CONFIG_HOME: join(folder, 'caddy'),
      SITE: 'localhost',
      ACME_EMAIL: 'operator@nivida.example',
      WEB: ports.map((each) => `127.0.0.1:${each}`).join(' '),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.add(child);
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  return { child, said: () => said };
}

async function connectTo(origin, folder) {
  const certificate = join(folder, 'caddy/caddy/pki/authorities/local/root.crt');
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await wait(100)) {
    if (!existsSync(certificate)) continue;
    const session = connect(origin, { ca: readFileSync(certificate) });
    const failed = await once(session, 'connect').then(
      () => false,
      () => true,
    );
    if (failed) continue;
    // The proxy forwards nothing before its first health check.
    const { status } = await request(session, '/api/health');
    if (status === 200) return session;
    session.close();
  }
  throw new Error('the proxy did not answer in time');
}

function request(session, path, { method = 'GET', headers = {}, body } = {}) {
  return new Promise((done, fail) => {
    // As browsers send a body.
    const kind = body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const stream = session.request(
      { ':method': method, ':path': path, ...kind, ...headers },
      { endStream: body === undefined },
    );
    const answer = { status: 0, headers: {} };
    stream.on('response', (received) => {
      answer.status = received[':status'];
      answer.headers = received;
    });
    const parts = [];
    stream.on('data', (part) => parts.push(part));
    stream.on('error', fail);
    // An answer may arrive before the whole request was sent; the rest is then not needed.
    stream.on('end', () => {
      const bytes = Buffer.concat(parts);
      done({ ...answer, bytes, text: bytes.toString() });
      stream.close();
    });
    stream.on('close', () => fail(new Error(`${path} was broken off`)));
    if (body !== undefined) stream.end(body);
  });
}

async function tryRanges(ask, session, { path, bytes }) {
  const digest = (data) => createHash('sha256').update(data).digest('hex');
  const begun = session.request({ ':path': path });
  const [headers] = await once(begun, 'response');
  const parts = [];
  let length = 0;
  for await (const part of begun) {
    parts.push(part);
    length += part.length;
    if (length > bytes.length / 3) break;
  }
  assert.ok(length < bytes.length, 'it broke off');
  const rest = await ask(path, { headers: { range: `bytes=${length}-`, 'if-range': headers['last-modified'] } });
  assert.deepEqual(
    [rest.status, rest.headers['content-range']],
    [206, `bytes ${length}-${bytes.length - 1}/${bytes.length}`],
  );
  assert.equal(digest(Buffer.concat([...parts, rest.bytes])), digest(bytes));
}

/** Sends requests while `work` runs; each answer must come from the app. */
async function withoutFailure(ask, methods, work) {
  const isApps = { GET: ({ status }) => status === 200, POST: ({ status }) => status === 401 };
  const failures = [];
  let asked = 0;
  let going = true;
  const loops = Array.from({ length: BUSY }, async (_, n) => {
    const method = methods[n % methods.length];
    const path = method === 'GET' ? '/api/site' : '/api/bookmarks/sync';
    while (going) {
      const answer = await ask(path, method === 'GET' ? {} : { method, body: '{"changes":[]}' }).catch(
        (error) => error,
      );
      asked += 1;
      if (!isApps[method](answer)) failures.push(`${method} ${answer.status ?? answer.message} ${answer.text ?? ''}`);
      // Below the rate limit of 3,000 requests a minute per process.
      await wait(60);
    }
  });
  await work();
  going = false;
  await Promise.all(loops);
  assert.deepEqual(failures, [], `of ${asked} requests`);
  assert.ok(asked > 100, `${asked} requests`);
}
