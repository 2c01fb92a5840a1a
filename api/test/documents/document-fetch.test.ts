import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { DocumentFetchService } from '../../src/documents/files/document-fetch.service.ts';
import { type FetchLimits, fetchFile } from '../../src/documents/files/fetch-file.ts';
import { openZipArchive, scanFile } from '../../src/documents/files/file-scan.ts';
import { FileUploadService } from '../../src/documents/files/file-upload.service.ts';
import { safeFileName, UniqueFileNames } from '../../src/documents/packages/file-names.ts';
import { PackagesService } from '../../src/documents/packages/packages.service.ts';
import { FileStore } from '../../src/storage/file-store.ts';
import { FolderStorage } from '../../src/storage/folder-storage.ts';
import { openFiles } from '../storage/open-files.ts';
import { SUMMARY_NAMES } from '../support/paid-orders.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T12:00:00+05:30');
const PDF = Buffer.from('%PDF-1.4 an official notice');
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

let folder: string;
let store: FileStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-fetch-'));
  store = new FileStore(new FolderStorage(join(folder, 'files')));
});
afterAll(() => rm(folder, { recursive: true }));

const stored = async () =>
  (await readdir(join(folder, 'files'), { recursive: true }).catch(() => [])).filter((name) => name.length > 10);

/** A zip of files by name; an entry of spaces may have any length. A name that ends in '/' is a folder. */
async function zipOf(files: Record<string, Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) {
    if (name.endsWith('/')) zip.addEmptyDirectory(name);
    else zip.addBuffer(content, name);
  }
  zip.end();
  return buffer(zip.outputStream as Readable);
}

/** The same zip with a hostile name of the same length. */
const renamed = (zip: Buffer, from: string, to: string): Buffer =>
  Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');

describe('fetching from a portal', () => {
  let portal: http.Server;
  let origin: string;
  let asked: string[] = [];
  let askedWith: http.IncomingHttpHeaders = {};
  /** Answers without an end that the fetcher has not given up. */
  let unending = 0;
  /** Each answers a request that the portal holds. */
  const held: (() => void)[] = [];
  const limits: FetchLimits = { maxBytes: 1_000_000, idleMs: 20_000, totalMs: 60_000, allowedAddresses: ['127.0.0.1'] };
  /** Short times only for answers that exceed them: a busy machine may take longer for the others. */
  const shortTimes = new Map<string, Partial<FetchLimits>>([
    ['/silent', { idleMs: 400 }],
    ['/drip', { totalMs: 1_500 }],
  ]);

  beforeAll(async () => {
    portal = http.createServer((request, response) => {
      const path = request.url ?? '';
      asked.push(path);
      askedWith = request.headers;
      const [, kind = '', rest = ''] = /^\/([a-z-]+)\/?(.*)$/.exec(path) ?? [];
      if (kind === 'file')
        return void response
          .writeHead(200, { 'content-type': 'application/pdf', 'content-encoding': 'identity' })
          .end(PDF);
      if (kind === 'page')
        return void response.setHeader('content-type', 'Text/HTML; charset=utf-8').end('<p>Please log in</p>');
      if (kind === 'status') return void response.writeHead(Number(rest)).end();
      if (kind === 'to') return void response.writeHead(302, { location: decodeURIComponent(rest) }).end();
      if (kind === 'moved') return void response.writeHead(Number(rest), { location: '/file' }).end();
      if (kind === 'hop')
        return void response
          .writeHead(302, { location: Number(rest) > 0 ? `/hop/${Number(rest) - 1}` : '/file' })
          .end();
      if (kind === 'huge') return void response.writeHead(200, { 'content-length': '60000000' }).write('x');
      if (kind === 'packed') return void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
      if (kind === 'silent') return;
      if (kind === 'unending') {
        unending += 1;
        response.on('close', () => {
          unending -= 1;
        });
        return void response
          .writeHead(Number(rest), { 'content-type': 'text/html', location: '/file' })
          .write('<p>Please wait');
      }
      if (kind === 'held') {
        held.push(() => response.writeHead(404).end());
        return;
      }
      const pour = setInterval(
        () => response.write(Buffer.alloc(kind === 'drip' ? 1 : 100_000)),
        kind === 'drip' ? 100 : 1,
      );
      response.on('close', () => clearInterval(pour));
    });
    await new Promise<void>((done) => portal.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(portal.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    portal.closeAllConnections();
    portal.close();
  });

  test('a file is stored completely', async () => {
    const file = await fetchFile(`${origin}/file`, store, limits);
    expect(file.bytes).toBe(PDF.length);
    expect(await buffer(await store.read(file.key))).toEqual(PDF);
    await store.remove(file.key);
    expect(askedWith).toMatchObject({ 'accept-encoding': 'identity', 'user-agent': 'Nivida document fetcher' });
  });

  test('three redirects are followed, a fourth is not', async () => {
    const file = await fetchFile(`${origin}/hop/2`, store, limits);
    await store.remove(file.key);
    await expect(fetchFile(`${origin}/hop/3`, store, limits)).rejects.toThrow('is behind more than 3 redirects');
  });

  test.each([301, 302, 303, 307, 308])('a file that has moved (%i) is fetched at its new address', async (status) => {
    const file = await fetchFile(`${origin}/moved/${status}`, store, limits);
    expect(await buffer(await store.read(file.key))).toEqual(PDF);
    await store.remove(file.key);
  });

  // No request reaches the listener: the connection itself is refused.
  test.each([
    'http://127.0.0.1:PORT/file',
    'http://localhost:PORT/file',
    'http://127.1:PORT/file',
    'http://2130706433:PORT/file',
    'http://0x7f000001:PORT/file',
    'http://0.0.0.0:PORT/file',
    'http://[::1]:PORT/file',
    'http://[::ffff:127.0.0.1]:PORT/file',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[64:ff9b::7f00:1]/',
    'https://127.0.0.1/',
  ])('%s is not public', async (url) => {
    const { allowedAddresses: _none, ...strict } = limits;
    asked = [];
    const address = url.replace('PORT', String((portal.address() as AddressInfo).port));
    await expect(fetchFile(address, store, strict)).rejects.toThrow('is at an address that is not public');
    expect(asked).toEqual([]);
  });

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/secret',
    'http://[::1]/',
    'http://192.168.0.1/',
  ])('a redirect to %s is refused too', async (url) => {
    await expect(fetchFile(`${origin}/to/${encodeURIComponent(url)}`, store, limits)).rejects.toThrow(
      'is at an address that is not public',
    );
  });

  test.each([
    'file:///etc/passwd',
    'ftp://portal.example/file',
    'data:text/plain,x',
    'gopher://portal.example/',
    'javascript:alert(1)',
    'notice.pdf',
    '',
    `http://portal.example/${'a'.repeat(2_000)}`,
  ])('%s is not an http or https address', async (url) => {
    await expect(fetchFile(url, store, limits)).rejects.toThrow('is at no address of http or https');
  });

  test.each(['file:///etc/passwd', 'ftp://portal.example/file', 'data:text/plain,x', 'gopher://portal.example/'])(
    'nor is it after a redirect: %s',
    async (url) => {
      await expect(fetchFile(`${origin}/to/${encodeURIComponent(url)}`, store, limits)).rejects.toThrow(
        'is at no address of http or https',
      );
    },
  );

  test.each(['admin:x', 'admin', ':x'])('an address with the login %s is refused', async (login) => {
    await expect(fetchFile(`http://${login}@portal.example/`, store, limits)).rejects.toThrow('with a user name');
  });

  test.each([
    ['/huge', 'RejectedFileError', 'is larger than 1 MB'],
    ['/endless', 'RejectedFileError', 'is larger than 1 MB'],
    ['/packed', 'RejectedFileError', 'was sent compressed'],
    ['/page', 'RejectedFileError', 'is a web page, no document'],
    ['/status/404', 'RejectedFileError', 'the portal answered 404'],
    ['/status/403', 'RejectedFileError', 'the portal answered 403'],
    ['/status/304', 'RejectedFileError', 'the portal answered 304'],
    ['/status/500', 'TemporaryFetchError', 'the portal answered 500'],
    ['/status/429', 'TemporaryFetchError', 'the portal answered 429'],
    ['/silent', 'TemporaryFetchError', 'sent nothing for too long'],
    ['/drip', 'TemporaryFetchError', 'took too long'],
  ])('%s is %s: %s', async (path, name, message) => {
    const before = await stored();
    const times = shortTimes.get(path);
    await expect(fetchFile(`${origin}${path}`, store, { ...limits, ...times })).rejects.toMatchObject({
      name,
      message: expect.stringContaining(message),
    });
    expect(await stored()).toEqual(before);
  });

  test.each([503, 404, 200, 302])('the connection of an answer %i whose body is not read is closed', async (status) => {
    const patient = { ...limits, idleMs: 60_000 };
    const fetched = await fetchFile(`${origin}/unending/${status}`, store, patient).catch(() => undefined);
    expect(fetched !== undefined).toBe(status === 302);
    await expect.poll(() => unending, { timeout: 10_000 }).toBe(0);
    if (fetched) await store.remove(fetched.key);
  });

  describe('by the job', () => {
    let app: TestApp;
    let tenderId: number;
    let nit: string;

    beforeAll(async () => {
      app = await startApp({ now: NOW, env: { FILES_URL: `file://${folder}/app` } });
      await importTenders(app.database.dataSource, [createSourceTender()], { now: NOW });
      const [row] = await app.database.dataSource.query('SELECT id FROM tender');
      tenderId = row.id;
      nit = `tender-${tenderId}`;
    });
    afterAll(() => app.close());

    const wait = (name: string, url: string) =>
      app.database.dataSource.query(
        `INSERT INTO package_file (nit, tender_id, name, source_url, state, next_try_at, added_at)
         VALUES ($1, $2, $3, $4, 'waiting', $5, $5)`,
        [nit, tenderId, name, url, app.clock.now],
      );
    const file = async (name: string) => {
      const [row] = await app.database.dataSource.query('SELECT * FROM package_file WHERE name = $1', [name]);
      return row;
    };

    test('a retry that a clock ahead scheduled happens when the clock is corrected', async () => {
      await wait('Ahead.pdf', `${origin}/status/503`);
      await app.database.dataSource.query(
        "UPDATE package_file SET next_try_at = next_try_at + interval '1 year' WHERE name = 'Ahead.pdf'",
      );
      await app.app.get(DocumentFetchService).run(limits);
      expect(await file('Ahead.pdf')).toMatchObject({ state: 'waiting', tries: 1 });
      await app.database.dataSource.query("DELETE FROM package_file WHERE name = 'Ahead.pdf'");
    });

    test('fetched files become a package, others have a reason', async () => {
      await wait('Notice.pdf', `${origin}/file`);
      await wait('Missing.pdf', `${origin}/status/404`);
      await wait('Inside.pdf', 'http://169.254.169.254/latest');
      await wait('Program.exe', `${origin}/file`);
      await app.app.get(DocumentFetchService).run(limits);
      // Its kind is the portal's, also when its name says another one.
      expect(await file('Notice.pdf')).toMatchObject({
        ...{ state: 'ready', note: null, kind: 'other', all_works: false, next_try_at: null, ready_at: NOW },
        ...{ source_url: `${origin}/file`, bytes: String(PDF.length) },
        sha256: createHash('sha256').update(PDF).digest('hex'),
      });
      expect(await file('Missing.pdf')).toMatchObject({
        ...{ state: 'refused', kind: 'other', next_try_at: null, source_url: `${origin}/status/404` },
        note: 'was not delivered: the portal answered 404',
      });
      expect(await file('Inside.pdf')).toMatchObject({ state: 'refused', note: 'is at an address that is not public' });
      expect(await file('Program.exe')).toMatchObject({
        state: 'refused',
        note: 'is of a type that is not accepted: .exe',
        file_key: null,
      });
      const found = await app.app.get(PackagesService).findNewest(nit);
      expect(found?.fileNames).toEqual([...SUMMARY_NAMES, 'Works.xlsx', 'READ-ME.txt', 'Notice.pdf']);
    });

    test('a file that one process is fetching is left to it by the others for ten minutes', async () => {
      await wait('Held.pdf', `${origin}/held`);
      const documentFetch = app.app.get(DocumentFetchService);
      const first = documentFetch.run(limits);
      await expect.poll(() => held).toHaveLength(1);
      app.clock.now = new Date(NOW.getTime() + 10 * 60_000 - 1);
      expect(await documentFetch.run(limits)).toBe(0);
      expect(held).toHaveLength(1);
      // Then its process has died.
      app.clock.now = new Date(NOW.getTime() + 10 * 60_000);
      const second = documentFetch.run(limits);
      await expect.poll(() => held).toHaveLength(2);
      for (const answer of held) answer();
      await Promise.all([first, second]);
      expect(await file('Held.pdf')).toMatchObject({ state: 'refused', tries: 2 });
      await app.database.dataSource.query("DELETE FROM package_file WHERE name = 'Held.pdf'");
      app.clock.now = NOW;
    });

    test('all waiting files are fetched in one run, however many', async () => {
      for (let nth = 1; nth <= 21; nth += 1) await wait(`Many ${nth}.pdf`, `${origin}/status/404`);
      expect(await app.app.get(DocumentFetchService).run(limits)).toBe(21);
      const left = await app.database.dataSource.query("SELECT name FROM package_file WHERE state = 'waiting'");
      expect(left).toEqual([]);
      await app.database.dataSource.query("DELETE FROM package_file WHERE name LIKE 'Many %'");
    });

    test('the file that has waited longest is fetched first', async () => {
      const { dataSource } = app.database;
      // One more than are fetched together.
      for (let nth = 1; nth <= 21; nth += 1) {
        await wait(`Queued ${nth}.pdf`, `${origin}/page/${nth}`);
        const due = new Date(app.clock.now.getTime() - nth * 1_000);
        await dataSource.query('UPDATE package_file SET next_try_at = $2 WHERE name = $1', [`Queued ${nth}.pdf`, due]);
      }
      asked = [];
      await app.app.get(DocumentFetchService).run(limits);
      expect(asked).toHaveLength(21);
      expect(asked.at(-1)).toBe('/page/1');
      await dataSource.query("DELETE FROM package_file WHERE name LIKE 'Queued %'");
    });

    test('a file whose address the portal corrects is tried as often as a new one', async () => {
      const { dataSource } = app.database;
      const publish = (title: string, status: number) =>
        importTenders(
          dataSource,
          [
            createSourceTender({
              sourceId: '2026_PWD_5_1',
              title,
              files: [{ name: 'Plan.pdf', kind: 'other', url: `${origin}/status/${status}` }],
            }),
          ],
          { now: app.clock.now },
        );
      await publish('Weir', 503);
      await dataSource.query("UPDATE package_file SET tries = 5 WHERE name = 'Plan.pdf'");
      await publish('Weir at Theog', 502);
      await app.app.get(DocumentFetchService).run(limits);
      expect(await file('Plan.pdf')).toMatchObject({ state: 'waiting', tries: 1 });
      await dataSource.query("DELETE FROM package_file WHERE name = 'Plan.pdf'");
    });

    test('a portal that is down is asked again at growing intervals, at most six times', async () => {
      await wait('Later.pdf', `${origin}/status/503`);
      const documentFetch = app.app.get(DocumentFetchService);
      const pauses: number[] = [];
      for (let tries = 1; tries < 6; tries++) {
        await documentFetch.run(limits);
        const row = await file('Later.pdf');
        expect(row).toMatchObject({ state: 'waiting', tries, note: 'was not delivered: the portal answered 503' });
        pauses.push((row.next_try_at.getTime() - app.clock.now.getTime()) / 60_000);
        expect(await documentFetch.run(limits)).toBe(0);
        app.clock.now = row.next_try_at;
      }
      expect(pauses).toEqual([1, 4, 16, 64, 256]);
      await documentFetch.run(limits);
      expect(await file('Later.pdf')).toMatchObject({
        state: 'refused',
        note: 'was not delivered: the portal answered 503',
      });
    });

    test('an archive is unpacked into the package, without its paths', async () => {
      const path = join(folder, 'all.zip');
      const second = Buffer.from('%PDF-1.4 another notice');
      const archive = { 'deep/': OLE, 'deep/down/NIT.pdf': PDF, 'BOQ.xls': OLE, 'nit.PDF': second };
      await writeFile(path, await zipOf(archive));
      const taken = await app.app
        .get(FileUploadService)
        .upload(app.database.dataSource.manager, { nit, tenderId, name: 'All documents.zip' }, path);
      expect(taken).toMatchObject({ state: 'ready' });
      const found = await app.app.get(PackagesService).renew(nit, new Date(app.clock.now.getTime() + 1));
      expect(found?.fileNames).toEqual([
        ...SUMMARY_NAMES,
        'Works.xlsx',
        'READ-ME.txt',
        'Notice.pdf',
        'All documents/NIT.pdf',
        'All documents/BOQ.xls',
        'All documents/nit (2).PDF',
      ]);
      const local = await app.app.get(PackagesService).store.openLocal(found?.fileKey ?? '');
      const { files, close } = await openZipArchive(local.path);
      const contents: Record<string, Buffer> = {};
      for (const { name, read } of files) contents[name] = await buffer(await read());
      close();
      await local.release();
      expect(contents).toMatchObject({
        'All documents/NIT.pdf': PDF,
        'All documents/BOQ.xls': OLE,
        'All documents/nit (2).PDF': second,
      });
      await expect.poll(() => openFiles(join(folder, 'app'))).toEqual([]);
    });

    test('a file whose row cannot be stored leaves nothing in the store', async () => {
      const { dataSource } = app.database;
      const path = join(folder, 'one.pdf');
      await writeFile(path, PDF);
      const filesInStore = async () =>
        (await readdir(join(folder, 'app'), { recursive: true })).filter((name) => name.length > 10).sort();
      const before = await filesInStore();
      const uploaded = dataSource.transaction(async (manager) => {
        await manager.query('SELECT 1 / 0').catch(() => undefined);
        await app.app.get(FileUploadService).upload(manager, { nit, tenderId, name: 'One.pdf' }, path);
      });
      await expect(uploaded).rejects.toThrow('current transaction is aborted');
      expect(await filesInStore()).toEqual(before);
    });

    test('a package has at most 200 MB', async () => {
      await app.database.dataSource.query(
        `INSERT INTO package_file (nit, tender_id, name, file_key, sha256, bytes, state, added_at)
         VALUES ('full', $1, 'Large.pdf', 'x', 'x', $3, 'ready', $2),
           ('other', $1, 'Other.pdf', 'x', 'x', 100000000, 'ready', $2), ('full', $1, 'Out.pdf', 'x', 'x', 100000000, 'refused', $2)`,
        [tenderId, NOW, 200_000_000 - PDF.length + 1],
      );
      const path = join(folder, 'one.pdf');
      await writeFile(path, PDF);
      const upload = (name: string) =>
        app.app.get(FileUploadService).upload(app.database.dataSource.manager, { nit: 'full', tenderId, name }, path);
      // Folders of two characters may be left behind.
      const filesInStore = async () =>
        (await readdir(join(folder, 'app'), { recursive: true })).filter((name) => name.length > 10).sort();
      const before = await filesInStore();
      expect(await upload('One.pdf')).toEqual({
        name: 'One.pdf',
        kind: 'other',
        state: 'refused',
        note: 'would make the package larger than 200 MB',
        problem: 'package-size',
      });
      expect(await filesInStore()).toEqual(before);
      await app.database.dataSource.query("UPDATE package_file SET bytes = bytes - 1 WHERE name = 'Large.pdf'");
      expect(await upload('One.pdf')).toMatchObject({ state: 'ready' });
      // A file that is replaced does not count.
      expect(await upload('Large.pdf')).toMatchObject({ state: 'ready' });
    });
  });
});

describe('the scan of a file', () => {
  const scan = async (name: string, content: Buffer | string, maxUnpackedBytes?: number) => {
    const path = join(folder, 'scanned');
    await writeFile(path, content);
    return scanFile(path, name, maxUnpackedBytes);
  };

  test.each<[string, Buffer]>([
    ['notice.pdf', PDF],
    ['BOQ.xls', OLE],
    ['letter.doc', Buffer.from('{\\rtf1 x}')],
    ['list.csv', Buffer.from('a,b')],
    ['site.JPG', Buffer.from('ffd8ffe0', 'hex')],
    ['plan.dwg', Buffer.from('AC1032')],
    ['letter.doc', OLE],
    ['slides.ppt', OLE],
    ['letter.rtf', Buffer.from('{\\rtf1 x}')],
    ['note.txt', Buffer.from('सड़क')],
    ['site.jpeg', Buffer.from('ffd8ffe1', 'hex')],
    ['map.png', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['scan.tif', Buffer.from('49492a0008', 'hex')],
    ['scan.tiff', Buffer.from('4d4d002a00', 'hex')],
    ['late.pdf', Buffer.concat([Buffer.alloc(1_000, ' '), PDF])],
  ])('%s is accepted', async (name, content) => {
    expect(await scan(name, content)).toEqual({ isArchive: false, warning: null });
  });

  test.each<[string, Buffer | string, string]>([
    ['tool.exe', 'MZ', 'is a program'],
    ['notice.pdf', 'MZ\u0090', 'is a program'],
    ['notice.pdf', Buffer.from('7f454c46', 'hex'), 'is a program'],
    ['notice.txt', '#!/bin/sh', 'is a program'],
    ...['feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe'].map((head): [string, Buffer, string] => [
      'notice.pdf',
      Buffer.from(head, 'hex'),
      'is a program',
    ]),
    ['late.pdf', Buffer.concat([Buffer.alloc(1_020, ' '), PDF]), 'is not what its name says: .pdf'],
    ['map.png', Buffer.from('ffd8ffe0', 'hex'), 'is not what its name says: .png'],
    ['rates.xls', PDF, 'is not what its name says: .xls'],
    ['letter.rtf', PDF, 'is not what its name says: .rtf'],
    ['notice.pdf', '<html>', 'is not what its name says: .pdf'],
    ['notice.docx', PDF, 'is not what its name says: .docx'],
    ['notice.txt', 'a\u0000b', 'is not what its name says: .txt'],
    ['notice.html', '<html>', 'is of a type that is not accepted: .html'],
    ['notice.pdf.js', 'x', 'is of a type that is not accepted: .js'],
    ['notice.svg', '<svg/>', 'is of a type that is not accepted: .svg'],
    ['files.rar', 'Rar!', 'is of a type that is not accepted: .rar'],
    ['notice', PDF, 'has no file type'],
    ['notice.pdf', '', 'is empty'],
    ['all.zip', Buffer.from('504b0304ffff', 'hex'), 'is a broken archive'],
  ])('%s is refused (%#)', async (name, content, message) => {
    await expect(scan(name, content)).rejects.toThrow(message);
  });

  test.each(['docx', 'xlsx', 'xlsm', 'pptx', 'odt', 'ods'])(
    'an office file %s is accepted as one file',
    async (extension) => {
      const file = await zipOf({ 'content.xml': Buffer.from('<x/>') });
      expect(await scan(`file.${extension}`, file)).toEqual({ isArchive: false, warning: null });
    },
  );

  test('leaves no file open, whether it accepts it or not', async () => {
    const [archive, inner] = [await zipOf({ 'NIT.pdf': PDF }), await zipOf({ 'a.zip': await zipOf({ 'b.pdf': PDF }) })];
    expect(await scan('notice.pdf', PDF)).toEqual({ isArchive: false, warning: null });
    expect(await openFiles(join(folder, 'scanned'))).toEqual([]);
    await expect(scan('notice.pdf', 'MZ')).rejects.toThrow('is a program');
    expect(await openFiles(join(folder, 'scanned'))).toEqual([]);
    expect(await scan('all.zip', archive)).toEqual({ isArchive: true, warning: null });
    await expect(scan('all.zip', inner)).rejects.toThrow('holds another archive');
    await expect.poll(() => openFiles(join(folder, 'scanned'))).toEqual([]);
  });

  test('an archive without files is accepted', async () => {
    expect(await scan('all.zip', await zipOf({}))).toEqual({ isArchive: true, warning: null });
    // So are empty files and folders in it.
    const empty = await zipOf({ 'drawings/': OLE, 'drawings/.placeholder': Buffer.alloc(0), 'NIT.pdf': PDF });
    expect(await scan('ALL.ZIP', empty)).toEqual({ isArchive: true, warning: null });
  });

  test('macros are reported, in old and new files', async () => {
    const warning = 'Holds macros: do not enable them unless the portal says that its form needs them.';
    const old = Buffer.concat([OLE, Buffer.alloc(70_000), Buffer.from('_VBA_PROJECT', 'utf16le')]);
    expect((await scan('BOQ.xls', old)).warning).toBe(warning);
    // The mark lies across two parts of 64 KB in which the file is read.
    const across = Buffer.concat([OLE, Buffer.alloc(65_520), Buffer.from('_VBA_PROJECT', 'utf16le')]);
    expect((await scan('BOQ.xls', across)).warning).toBe(warning);
    expect((await scan('BOQ.xlsm', await zipOf({ 'xl/vbaProject.bin': OLE }))).warning).toBe(warning);
    expect((await scan('BOQ.xlsm', await zipOf({ 'XL/VBAPROJECT.BIN': OLE }))).warning).toBe(warning);
    expect((await scan('BOQ.xls', Buffer.concat([OLE, Buffer.alloc(70_000)]))).warning).toBeNull();
    expect((await scan('BOQ.xlsx', await zipOf({ 'xl/workbook.xml': Buffer.from('<x/>') }))).warning).toBeNull();
  });

  test('a decompression bomb is refused, as archive and as office file', async () => {
    const bomb = await zipOf({ 'a.txt': Buffer.alloc(20_000_000, ' ') });
    expect(bomb.length).toBeLessThan(30_000);
    for (const name of ['all.zip', 'all.docx'])
      await expect(scan(name, bomb)).rejects.toThrow('unpacks to more than 100 times its size');
  });

  test('an archive is refused whose files together are larger than the limit', async () => {
    const files = { 'a.txt': Buffer.alloc(900_000, 'a'), 'b.txt': Buffer.alloc(900_000, 'b') };
    expect((await scan('all.zip', await zipOf(files), 1_800_000)).isArchive).toBe(true);
    const more = await zipOf({ ...files, 'c.txt': Buffer.alloc(200_001, 'c') });
    await expect(scan('all.zip', more, 2_000_000)).rejects.toThrow('unpacks to more than 2 MB');
    await expect(scan('all.docx', more, 2_000_000)).rejects.toThrow('unpacks to more than 2 MB');
  });

  test('an archive with wrong sizes is refused', async () => {
    const zip = await zipOf({ 'a.txt': Buffer.alloc(50_000, ' ') });
    // The size in the directory, in its four bytes.
    const size = Buffer.alloc(4);
    size.writeUInt32LE(50_000);
    const at = zip.lastIndexOf(size);
    zip.writeUInt32LE(10, at);
    await expect(scan('all.zip', zip)).rejects.toThrow('cannot be unpacked safely');
  });

  test('an archive of 2,000 files is accepted, one of more is refused', { tags: 'release' }, async () => {
    const files = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`${n}.txt`, Buffer.from('x')]));
    expect((await scan('all.zip', await zipOf(files))).isArchive).toBe(true);
    const more = await zipOf({ ...files, 'one.txt': Buffer.from('x') });
    await expect(scan('all.zip', more)).rejects.toThrow('holds more than 2000 files');
  });

  test('an archive with an archive, a program or a page in it is refused', async () => {
    const inner = await zipOf({ 'a.pdf': PDF });
    await expect(scan('all.zip', await zipOf({ 'b.zip': inner }))).rejects.toThrow('holds another archive');
    await expect(scan('all.zip', await zipOf({ 'b.ZIP': inner }))).rejects.toThrow('holds another archive');
    await expect(scan('all.zip', await zipOf({ 'a.pdf': PDF, 'b.pdf': OLE }))).rejects.toThrow(
      'holds a file that is not what its name says: .pdf',
    );
    await expect(scan('all.zip', await zipOf({ 'b.pdf': Buffer.from('MZ') }))).rejects.toThrow(
      'holds a file that is a program',
    );
    await expect(scan('all.zip', await zipOf({ 'b.hta': Buffer.from('x') }))).rejects.toThrow(
      'holds a file that is of a type',
    );
  });

  test.each(['../../etc/x.pdf', '/etc/passwd.pdf', 'C:/Windows/x.pdf', 'a\\..\\..\\x.pdf'])(
    'an archive with the path %s is refused',
    async (path) => {
      const honest = 'z'.repeat(path.length - 4).concat('.pdf');
      const zip = renamed(await zipOf({ [honest]: PDF }), honest, path);
      await expect(scan('all.zip', zip)).rejects.toThrow('cannot be unpacked safely');
    },
  );

  test('a locked archive is refused', async () => {
    const zip = await zipOf({ 'a.pdf': PDF });
    const entry = zip.indexOf(Buffer.from('504b0102', 'hex'));
    zip.writeUInt16LE(zip.readUInt16LE(entry + 8) | 1, entry + 8);
    await expect(scan('all.zip', zip)).rejects.toThrow('is locked with a password');
  });
});

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\temp\\BOQ.xls', 'BOQ.xls'],
  ['a\u0000b\n.pdf', 'a_b_.pdf'],
  ['\u202egpj.exe.pdf', '_gpj.exe.pdf'],
  ['CON.pdf', '_CON.pdf'],
  ['lpt1', '_lpt1'],
  ['Com9.tar.gz', '_Com9.tar.gz'],
  ['console.pdf', 'console.pdf'],
  [' .plan .pdf. ', 'plan .pdf'],
  ['e\u0301tude.pdf', 'étude.pdf'],
  ['folder/', 'folder'],
  ['.htaccess', 'htaccess'],
  ['..', 'file'],
  ['', 'file'],
  ['what?*<>|":.pdf', 'what_______.pdf'],
  ['सड़क.pdf', 'सड़क.pdf'],
  [`${'a'.repeat(300)}.pdf`, `${'a'.repeat(116)}.pdf`],
  [`${'a'.repeat(115)}😀b.pdf`, `${'a'.repeat(115)}😀.pdf`],
  ['a'.repeat(121), 'a'.repeat(120)],
])('a file with the name %j gets the name %j', (given, name) => {
  expect(safeFileName(given)).toBe(name);
});

test('names are unique, ignoring letter case', () => {
  const names = new UniqueFileNames();
  expect([
    names.reserve('', 'a.pdf'),
    names.reserve('', 'A.pdf'),
    names.reserve('x/', 'a.pdf'),
    names.reserve('', 'a.pdf'),
    names.reserve('', 'list'),
    names.reserve('', 'list'),
  ]).toEqual(['a.pdf', 'A (2).pdf', 'x/a.pdf', 'a (3).pdf', 'list', 'list (2)']);
});
