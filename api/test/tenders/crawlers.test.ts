import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LANGUAGES, type Language, languages, pathIn } from '@nivida/contract/languages';
import { pageEntries } from '@nivida/contract/site/pages';
import { Window } from 'happy-dom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const ORIGIN = 'https://nivida.example';
const PAGE = `<!doctype html>
<html lang="en-IN">
  <head>
    <title>Government tenders in India · Nivida</title>
    <meta
      name="description"
      content="Open government tenders."
    />
    <link rel="icon" href="/icons/icon.svg" type="image/svg+xml" />
    <link rel="manifest" href="/manifest.webmanifest">
  </head>
  <body><div id="root"></div></body>
</html>`;
/** The app's files that the build copies as they are. */
const PUBLIC_FILES = join(import.meta.dirname, '../../../pwa/public');
const WHATSAPP = { 'user-agent': 'WhatsApp/2.24.20.89 A', accept: '*/*' };
const BROWSER = { accept: 'text/html' };

let base: string;
let folder: string;
let app: TestApp;

/** Replaces the built renderer: its pages show their data; one page fails. */
const RENDERER = `export async function renderPage(address, data) {
  if (address === '/contact') throw new Error('not this one');
  return '<h1>' + JSON.stringify({ address, ...data }).replaceAll('<', '\\\\u003c') + '</h1>';
}`;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'nivida-pages-'));
  folder = join(base, 'dist');
  await mkdir(folder);
  await mkdir(join(base, 'dist-server'));
  await writeFile(join(base, 'dist-server/page.js'), RENDERER);
  await writeFile(join(base, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'index.html'), PAGE);
  await cp(PUBLIC_FILES, folder, { recursive: true });
  const screen = { file: 'assets/TenderDetail-1.js', css: ['assets/TenderDetail-2.css'] };
  await mkdir(join(folder, '.vite'));
  await writeFile(
    join(folder, '.vite/manifest.json'),
    JSON.stringify({ 'src/screens/tenders/TenderDetail.screen.tsx': screen }),
  );
  app = await startApp({ now: NOW, pagesFolder: folder, env: { PUBLIC_ORIGIN: ORIGIN } });
});
afterAll(async () => {
  await app.close();
  await rm(base, { recursive: true });
});

async function store(
  changes: Parameters<typeof createSourceTender>[0],
  origin: 'portal' | 'generated' | 'rebased' = 'portal',
): Promise<string> {
  await importTenders(app.database.dataSource, [createSourceTender(changes)], { now: NOW, origin });
  const [{ id }] = await app.database.dataSource.query('SELECT id FROM tender WHERE source_id = $1', [
    changes?.sourceId,
  ]);
  return String(id);
}

/** The addresses of links by their language. */
const addressesOf = (links: Iterable<{ getAttribute(name: string): string | null }>) =>
  Object.fromEntries([...links].map((link) => [link.getAttribute('hreflang'), link.getAttribute('href')]));

/** The metadata of a page. */
function readHead(html: string) {
  const { document } = new Window();
  document.write(html);
  const meta = [...document.querySelectorAll('meta')].map((element) => [
    element.getAttribute('name') ?? element.getAttribute('property'),
    element.getAttribute('content'),
  ]);
  const facts = [...document.querySelectorAll('script[type="application/ld+json"]')];
  return {
    title: document.title,
    canonical: document.querySelector('link[rel="canonical"]')?.getAttribute('href'),
    alternates: addressesOf(document.querySelectorAll('link[rel="alternate"]')),
    meta: Object.fromEntries(meta) as Record<string, string>,
    jsonLd: facts.map(({ textContent }) => JSON.parse(textContent)),
  };
}

test("every page contains the operator's settings before any script", async () => {
  const configured = await startApp({
    now: NOW,
    pagesFolder: folder,
    env: { PUBLIC_ORIGIN: ORIGIN, LEGAL_NAME: 'Bids & </script> $& Co', SUPPORT_EMAIL: 'help@nivida.example' },
  });
  const { text } = await configured.get('/about', BROWSER);
  const siteJson = /<script type="application\/json" id="site">(.*?)<\/script>/.exec(text)?.[1] ?? '';
  expect(JSON.parse(siteJson)).toEqual((await configured.get('/api/site')).json);
  expect(JSON.parse(siteJson)).toMatchObject({
    legalName: 'Bids & </script> $& Co',
    supportEmail: 'help@nivida.example',
  });
  await configured.close();
});

test('a page names the files of its screen, as the build lists them, and no others', async () => {
  const { text } = await app.get('/tenders/7', BROWSER);
  expect(text.match(/<(?:script type="module"|link rel="stylesheet").*?>/g)).toEqual([
    '<link rel="stylesheet" crossorigin href="/assets/TenderDetail-2.css">',
    '<script type="module" crossorigin src="/assets/TenderDetail-1.js">',
  ]);
  expect((await app.get('/about', BROWSER)).text).not.toContain('/assets/');
});

const answerIn = (text: string) =>
  JSON.parse(/<script type="application\/json" id="answer">(.*?)<\/script>/.exec(text)?.[1] ?? 'null');

describe('the data in a page', () => {
  test('equals the API response for a list or a tender, with its instant', async () => {
    const title = "Repair of </script><b>wall</b> $& $1 $$ $' $`";
    const id = await store({ sourceId: 'first_1', title });
    for (const page of ['/tenders/results?state=himachal-pradesh&q=wall&sort=price', `/tenders/${id}`]) {
      const written = answerIn((await app.get(page, BROWSER)).text);
      expect(written.at).toBe(NOW.toISOString());
      expect(written.answer).toEqual((await app.get(`/${written.call}`)).json);
      expect(JSON.stringify(written.answer)).toContain(title);
    }
  });

  test('is that of several districts where the address names several', async () => {
    await store({ sourceId: 'several_1', title: 'Weir, Distt. Solan' });
    await store({ sourceId: 'several_2', title: 'Weir, Distt. Mandi' });
    await store({ sourceId: 'several_3', title: 'Weir, Distt. Una' });
    const page = '/tenders/results?state=Himachal%20Pradesh&district=Solan&district=Mandi&q=weir';
    const written = answerIn((await app.get(page, BROWSER)).text);
    expect(written.answer.filter.districts.toSorted()).toEqual(['Mandi', 'Solan']);
    expect(written.answer.tenders).toHaveLength(2);
    expect(written.answer).toEqual((await app.get(`/${written.call}`)).json);
  });

  test.each(['/', '/tenders'])('is that of the open tenders by state at %s', async (page) => {
    const written = answerIn((await app.get(page, BROWSER)).text);
    expect(written).toMatchObject({ call: 'api/regions', answer: (await app.get('/api/regions')).json });
  });

  test.each(['/about', '/tenders/results', '/tenders/999999', '/tenders/results?min=5'])(
    'is not in %s, which asks for none',
    async (page) => {
      expect(answerIn((await app.get(page, BROWSER)).text)).toBeNull();
    },
  );

  test('is absent for an address that searches too often, which still receives the page', async () => {
    const page = '/tenders/results?state=Goa';
    const network = { ...BROWSER, 'x-forwarded-for': '2001:db8:7:1::1' };
    const limitedApp = await startApp({
      now: NOW,
      pagesFolder: folder,
      database: app.database,
      env: { PUBLIC_ORIGIN: ORIGIN, TRUST_PROXY: '1' },
    });
    expect(answerIn((await limitedApp.get(page, network)).text)).not.toBeNull();
    const tender = `/tenders/${await store({ sourceId: 'limited_1' })}`;
    expect(answerIn((await limitedApp.get(tender, network)).text)).not.toBeNull();
    for (let times = 2; times < 60; times += 1) await limitedApp.get('/tenders/results', network);
    for (const limited of [page, tender, `/hi${page}`, `/hi${tender}`]) {
      const { status, text } = await limitedApp.get(limited, network);
      expect(status).toBe(200);
      expect(answerIn(text)).toBeNull();
    }
    expect((await limitedApp.get('/api/tenders', network)).status).toBe(429);
    // The closing times in a page without data are those of the device.
    expect((await limitedApp.get(tender, network)).headers['cache-control']).toBe('no-cache');
    expect((await limitedApp.get(page, network)).headers['cdn-cache-control']).toBeUndefined();
    await limitedApp.close();
  });
});

describe('the page of a list', () => {
  const feedsIn = (text: string) => {
    const { document } = new Window();
    document.write(text);
    return [...document.querySelectorAll('link[rel="alternate"][type]')].map((link) => ({
      type: link.getAttribute('type'),
      path: link.getAttribute('href') ?? '',
    }));
  };

  test.each(['', '/hi'])(
    'names its feed, CSV and calendar, which have its tenders and its language%s',
    async (prefix) => {
      await store({ sourceId: `feed${prefix.length}_1`, title: 'Ropeway "A" & B' });
      const { text } = await app.get(`${prefix}/tenders/results?state=Himachal%20Pradesh&q=ropeway`, BROWSER);
      const feeds = feedsIn(text);
      expect(feeds.map(({ type }) => type)).toEqual(['application/atom+xml', 'text/csv', 'text/calendar']);
      for (const { type, path } of feeds) {
        const answer = await app.get(path);
        expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringContaining(type ?? '')]);
        expect(answer.text).toContain('Ropeway');
        expect(path.includes('lang=hi')).toBe(prefix === '/hi');
      }
    },
  );

  test('is the only one with feeds', async () => {
    for (const page of ['/', '/tenders', '/about', `/tenders/${await store({ sourceId: 'feedless_1' })}`])
      expect(feedsIn((await app.get(page, BROWSER)).text)).toEqual([]);
  });
});

describe('a page in Hindi', () => {
  const linksIn = (text: string) =>
    [...text.matchAll(/<link rel="(?:canonical|alternate)"[^>]*>/g)].map(([link]) => link);

  test('has its language, its own address and those of the other languages', async () => {
    const { text } = await app.get('/hi/about', BROWSER);
    expect(text).toContain('<html lang="hi-IN"');
    expect(text).toContain('<meta property="og:locale" content="hi_IN" />');
    const alternates = [
      ...languages().map(
        (language) => `<link rel="alternate" hreflang="${language}" href="${ORIGIN}${pathIn(language, '/about')}" />`,
      ),
      `<link rel="alternate" hreflang="x-default" href="${ORIGIN}/about" />`,
    ];
    expect(linksIn(text)).toEqual([`<link rel="canonical" href="${ORIGIN}/hi/about" />`, ...alternates]);
    expect(linksIn((await app.get('/about', BROWSER)).text)).toEqual([
      `<link rel="canonical" href="${ORIGIN}/about" />`,
      ...alternates,
    ]);
  });

  test('names the languages for link previews, and the manifest by which the app is installed in Hindi', async () => {
    const previewOf = (text: string) =>
      [...text.matchAll(/<meta property="(og:(?:locale\b.*?|url|image|image:alt))" content="(.*?)"/g)].map(
        ([, name, content]) => [name, content],
      );
    const othersThan = (language: Language) =>
      languages().flatMap((other) =>
        other === language ? [] : [['og:locale:alternate', LANGUAGES[other].locale.replace('-', '_')]],
      );
    const [hindi, english] = await Promise.all(
      ['/hi/about', '/about'].map(async (path) => (await app.get(path, WHATSAPP)).text),
    );
    expect(previewOf(hindi ?? '')).toEqual([
      ['og:url', `${ORIGIN}/hi/about`],
      ['og:locale', 'hi_IN'],
      ...othersThan('hi'),
      ['og:image', `${ORIGIN}/icons/preview-hi.png`],
      ['og:image:alt', 'Nivida: सरकारी टेंडर, और हर एक के बंद होने का सही समय'],
    ]);
    expect(previewOf(english ?? '')).toEqual([
      ['og:url', `${ORIGIN}/about`],
      ['og:locale', 'en_IN'],
      ...othersThan('en'),
      ['og:image', `${ORIGIN}/icons/preview.png`],
      ['og:image:alt', 'Nivida: government tenders, down to the closing hour'],
    ]);
    expect(hindi).toContain('<link rel="manifest" href="/hi/manifest.webmanifest">');
    expect(english).toContain('<link rel="manifest" href="/manifest.webmanifest">');
  });

  test('of a tender names its own address and language in its data for search engines', async () => {
    const id = await store({ sourceId: 'hindi_2', title: 'Repair of a lamp post' });
    const { jsonLd } = readHead((await app.get(`/hi/tenders/${id}`, BROWSER)).text);
    const url = `${ORIGIN}/hi/tenders/${id}`;
    expect(jsonLd).toMatchObject([{ '@id': url, url, inLanguage: 'hi-IN', name: 'Repair of a lamp post' }]);
  });

  test.each(
    pageEntries().flatMap(([path, { landing, isPrivate }]) =>
      landing && !isPrivate && !path.includes(':') ? path : [],
    ),
  )('%s has its title and description in Hindi', async (path) => {
    const { title, meta } = readHead((await app.get(pathIn('hi', path), BROWSER)).text);
    for (const text of [title, meta.description, meta['og:title'], meta['og:description']])
      expect(text).toMatch(/\p{Script=Devanagari}{2}/u);
  });

  test('has the same data as in English', async () => {
    const id = await store({ sourceId: 'hindi_1' });
    const answers = await Promise.all(
      [`/tenders/${id}`, `/hi/tenders/${id}`].map(async (path) => answerIn((await app.get(path, BROWSER)).text)),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0].call).toBe(`api/tenders/${id}`);
  });

  test.each(['/hi/unknown', '/hi/hi/about', '/hi/hi/tenders/1'])(
    'without a page is not found, reads no data and has no other address: %s',
    async (path) => {
      const { status, text } = await app.get(path, BROWSER);
      expect(status).toBe(404);
      expect(answerIn(text)).toBeNull();
      expect(linksIn(text)).toEqual([`<link rel="canonical" href="${ORIGIN}${path}" />`]);
    },
  );
});

describe('the input of the renderer', () => {
  const renderedIn = (text: string) => JSON.parse(/<div id="root"><h1>(.*?)<\/h1>/.exec(text)?.[1] ?? 'null');

  test('is the address and the operator’s settings, the same for every visitor', async () => {
    const site = (await app.get('/api/site')).json;
    const phone = { 'user-agent': 'Mozilla/5.0 (Linux; Android 13) Chrome/130.0 Mobile Safari/537.36' };
    for (const headers of [BROWSER, { ...BROWSER, ...phone, cookie: 'device=1', authorization: 'Bearer x' }])
      expect(renderedIn((await app.get('/about', headers)).text)).toEqual({ address: '/about', site });
  });

  test('contains the API response, if there is one; no browser stores a page with closing times', async () => {
    const title = "Culvert at Solan $& $1 $$ $' $`";
    await store({ sourceId: 'markup_1', title });
    const { text, headers } = await app.get('/tenders/results?state=himachal-pradesh&q=culvert', BROWSER);
    const { address, answer } = renderedIn(text);
    expect(address).toBe('/tenders/results?state=himachal-pradesh&q=culvert');
    expect(answer).toMatchObject({ call: expect.stringMatching(/^api\/tenders\?/), at: NOW.toISOString() });
    expect(answer.answer.tenders).toMatchObject([{ title }]);
    expect([headers['cache-control'], headers['cdn-cache-control']]).toEqual(['no-store', 'max-age=30']);
  });

  test.each([
    '/bookmarks',
    '/add-tenders',
    '/notices',
    '/payment-status',
    '/dashboard',
    '/about?page=1',
    '/tenders/999999',
    '/nowhere',
  ])('is empty for %s, which depends on the device and is rendered by the browser', async (page) => {
    expect((await app.get(page, BROWSER)).text).toContain('<div id="root"></div>');
  });

  test('may cause an error: the page is sent without content, and the browser renders it', async () => {
    const { status, text } = await app.get('/contact', BROWSER);
    expect(status).toBe(200);
    expect(text).toContain('<div id="root"></div>');
  });
});

test.each([
  ...['/', '/tenders', '/tenders/results?state=himachal-pradesh', '/tenders/7'],
  ...languages().map((language) => pathIn(language, '/plans')),
])('the link preview of %s has text and a picture of the size it names, small enough for WhatsApp', async (page) => {
  const { meta } = readHead((await app.get(page, WHATSAPP)).text);
  expect(meta['og:title']).not.toBe('');
  expect(meta['og:description']).not.toBe('');
  expect(meta['og:image:alt']).toMatch(/^Nivida: ./);
  const image = new URL(meta['og:image'] ?? '');
  expect(image.origin).toBe(ORIGIN);
  const { status, headers } = await app.get(image.pathname, WHATSAPP);
  expect([status, headers['content-type']]).toEqual([200, 'image/png']);
  expect(Number(headers['content-length'])).toBeLessThan(300_000);
  const png = await readFile(join(PUBLIC_FILES, image.pathname));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  expect([meta['og:image:width'], meta['og:image:height']]).toEqual(['1200', '630']);
});

describe('the page of a tender, before any script', () => {
  test('contains title, closing, organisation and value, for browsers and for WhatsApp', async () => {
    const id = await store({ sourceId: 'crawl_1', title: 'Construction of a footbridge at Baddi' });
    for (const headers of [BROWSER, WHATSAPP]) {
      const { status, text } = await app.get(`/tenders/${id}`, headers);
      expect(status).toBe(200);
      const head = readHead(text);
      expect(head.title).toBe('Construction of a footbridge at Baddi · Nivida');
      expect(head.canonical).toBe(`https://nivida.example/tenders/${id}`);
      expect(head.meta['og:title']).toBe('Construction of a footbridge at Baddi');
      expect(head.meta['og:description']).toMatch(/^Closes 20 Nov 2026, 11:00 AM · ₹5\.00 Lakh · EMD /);
      expect(head.meta['og:url']).toBe(`https://nivida.example/tenders/${id}`);
      expect(head.meta['og:image']).toBe('https://nivida.example/icons/preview.png');
      expect(head.meta.description).toContain('Closes 20 Nov 2026, 11:00 AM. PWD, ');
      expect(head.meta.description).toContain('Estimate ₹5.00 Lakh');
      expect(head.meta.robots).toBeUndefined();
      expect(head.jsonLd).toHaveLength(1);
      expect(head.jsonLd[0]).toMatchObject({
        '@context': 'https://schema.org',
        name: 'Construction of a footbridge at Baddi',
        about: { '@type': 'GovernmentOrganization', name: 'PWD' },
        mainEntity: {
          '@type': 'Demand',
          validThrough: '2026-11-20T05:30:00+00:00',
          priceSpecification: { price: 500_000, priceCurrency: 'INR' },
        },
      });
    }
  });

  test('has these texts, also for a tender that lacks values', async () => {
    const { dataSource } = app.database;
    const road = await store({
      sourceId: 'crawl_8',
      title:
        'Metalling of the link road from the main road to the primary school near the old panchayat office of Kalpa, ward 7 and the market',
      emd: '0.00',
      publishedAt: new Date('2026-11-02T09:00:00+05:30'),
    });
    const pumps = await store({
      sourceId: 'crawl_9',
      title: 'Supply of pumps',
      description: 'Supply of four pumps',
      category: 'Goods',
      place: 'Kullu',
      organisationChain: ['Jal Shakti Vibhag', 'Kullu Division'],
      price: null,
      emd: null,
      closesAt: new Date('2026-11-20T23:59:59+05:30'),
      closingTimeKnown: false,
    });
    await dataSource.query("UPDATE tender SET updated_at = '2026-11-09T06:00:00Z' WHERE id = $1", [pumps]);
    const [first, second] = await Promise.all(
      [road, pumps].map(async (id) => readHead((await app.get(`/tenders/${id}`, BROWSER)).text)),
    );
    expect([first?.title, first?.meta['og:title']]).toEqual([
      'Metalling of the link road from the main road to the primary school near the old panchayat office of Kalpa, ward 7 and… · Nivida',
      'Metalling of the link road from the main road to the primary…',
    ]);
    expect([first?.meta.description, first?.meta['og:description']]).toEqual([
      'Closes 20 Nov 2026, 11:00 AM. PWD, Kinnaur, Himachal Pradesh. Estimate ₹5.00 Lakh, EMD Not required. Checked with hptenders on 10 Nov 2026, 11:30 AM.',
      'Closes 20 Nov 2026, 11:00 AM · ₹5.00 Lakh · EMD Not required · Kinnaur · PWD',
    ]);
    expect([second?.meta.description, second?.meta['og:description']]).toEqual([
      'Closes 20 Nov 2026, time not stated. Jal Shakti Vibhag, Kullu, Himachal Pradesh. Estimate not published, EMD Not specified. Checked with hptenders on 10 Nov 2026, 11:30 AM.',
      'Closes 20 Nov 2026, time not stated · Estimate not published · EMD Not specified · Kullu · Jal Shakti Vibhag',
    ]);
    const address = `https://nivida.example/tenders/${pumps}`;
    expect(second?.jsonLd).toEqual([
      {
        '@context': 'https://schema.org',
        '@type': 'WebPage',
        '@id': address,
        url: address,
        name: 'Supply of pumps',
        inLanguage: 'en-IN',
        dateModified: '2026-11-09T06:00:00+00:00',
        about: { '@type': 'GovernmentOrganization', name: 'Jal Shakti Vibhag' },
        mainEntity: {
          '@type': 'Demand',
          name: 'Supply of pumps',
          description: 'Supply of four pumps',
          identifier: { '@type': 'PropertyValue', propertyID: 'hptenders', value: 'crawl_9' },
          validFrom: '2026-11-02T03:30:00+00:00',
          validThrough: '2026-11-20T18:29:59+00:00',
          availabilityEnds: '2026-11-20T18:29:59+00:00',
          areaServed: { '@type': 'AdministrativeArea', name: 'Kullu' },
          itemOffered: { '@type': 'Product', name: 'Supply of pumps' },
        },
      },
    ]);
    expect(first?.jsonLd[0].mainEntity).toMatchObject({
      itemOffered: { '@type': 'Service' },
      priceSpecification: { '@type': 'PriceSpecification', price: 500_000, priceCurrency: 'INR' },
    });
    await dataSource.query('DELETE FROM tender WHERE id = ANY($1)', [[road, pumps]]);
  });

  test('contains markup of title and organisation as text', async () => {
    const title = 'Repair "of" </title></script><script>alert(1)</script> & <b>wall</b> $& $1';
    const organisation = 'Works" /><script>alert(2)</script><meta name="robots';
    const id = await store({ sourceId: 'crawl_2', title, organisationChain: [organisation] });
    const { text } = await app.get(`/tenders/${id}`, BROWSER);
    expect(text).not.toContain('<script>alert');
    const head = readHead(text);
    expect(head.title).toBe(`${title} · Nivida`);
    expect(head.meta['og:title']).toBe('Repair "of" </title></script><script>alert(1)</script> &…');
    expect(head.jsonLd[0].name).toBe(title);
    expect(head.meta.description).toContain(organisation);
    expect(head.meta['og:description']).toContain(organisation);
  });

  test('contains markup of the organisation name as text', async () => {
    const orgName = 'PWD "North" \'B\'"><script>alert(2)</script> & $& $1';
    const id = await store({ sourceId: 'crawl_4', organisationChain: [orgName, 'Central Zone'] });
    const { text } = await app.get(`/tenders/${id}`, BROWSER);
    expect(text).not.toContain('<script>alert');
    const { meta, jsonLd } = readHead(text);
    expect(meta.description).toContain(`Closes 20 Nov 2026, 11:00 AM. ${orgName}, `);
    expect(meta['og:description']).toContain(orgName);
    expect(jsonLd[0].about.name).toBe(orgName);
  });

  test('of a demonstration tender names it so and excludes search engines', async () => {
    const id = await store({ sourceId: 'crawl_3' }, 'generated');
    const { meta } = readHead((await app.get(`/tenders/${id}`, BROWSER)).text);
    expect(meta.description).toMatch(/^Demonstration, not a real tender\. /);
    expect(meta['og:description']).toMatch(/^Demonstration · Closes /);
    expect(meta.robots).toBe('noindex');
  });

  test('is not for search engines while the database does not answer', async () => {
    const { dataSource } = app.database;
    await dataSource.query('ALTER TABLE tender RENAME TO unavailable');
    try {
      const { status, text } = await app.get('/tenders/7', BROWSER);
      const { title, meta } = readHead(text);
      expect([status, title, meta.robots]).toEqual([200, 'Find tenders · Nivida', 'noindex']);
    } finally {
      await dataSource.query('ALTER TABLE unavailable RENAME TO tender');
    }
  });

  test.each(['/tenders/999999', '/tenders/99999999999999', '/tenders/nothing'])(
    'that does not exist (%s) is 404, with the page that says so',
    async (path) => {
      const { status, text } = await app.get(path, BROWSER);
      expect(status).toBe(404);
      expect(text).toContain('<div id="root">');
    },
  );
});

describe('pages', () => {
  test.each([
    ['/', 200, 'Government tenders in India · Nivida'],
    ['/tenders', 200, 'Find tenders · Nivida'],
    ['/tenders/results?state=himachal-pradesh', 200, 'Open tenders in Himachal Pradesh · Nivida'],
    ['/tenders/results?state=Jammu%20and%20Kashmir', 200, 'Open tenders in Jammu and Kashmir · Nivida'],
    ['/tenders/results?state=<b>', 200, 'Open tenders · Nivida'],
    ['/tenders/999999', 404, 'Tender not found · Nivida'],
    ['/privacy', 200, 'Privacy Policy · Nivida'],
    ['/dashboard/profile', 200, 'Profile · Nivida'],
    ['/legal', 404, 'Page not found · Nivida'],
    ['/dashboard/nothing', 404, 'Page not found · Nivida'],
  ])('%s returns %i and "%s"', async (path, status, title) => {
    const answer = await app.get(path, BROWSER);
    expect(answer.status).toBe(status);
    const head = readHead(answer.text);
    expect(head.title).toBe(title);
    expect(answer.text.match(/<title>/g)).toHaveLength(1);
    expect(answer.text.match(/name="description"/g)).toHaveLength(1);
  });
});

describe('the sitemap', () => {
  test('is named by robots.txt, which excludes private pages', async () => {
    const PRIVATE_PAGES = [
      ...['/tenders/*/boq', '/payment-status', '/dashboard', '/bookmarks', '/add-tenders', '/notices'],
      ...['/firm-invitation', '/desk', '/shared-files'],
    ];
    const { text, headers } = await app.get('/robots.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toBe(
      [
        'User-agent: *',
        ...['/api/', '/d/', ...PRIVATE_PAGES].map((path) => `Disallow: ${path}`),
        ...languages().flatMap((language) =>
          language === 'en' ? [] : PRIVATE_PAGES.map((path) => `Disallow: ${pathIn(language, path)}`),
        ),
        '',
        'Sitemap: https://nivida.example/sitemap.xml',
        '',
      ].join('\n'),
    );
  });

  test('lists the pages and the open tenders, no closed ones, no drafts and no demonstrations', async () => {
    const open = await store({ sourceId: 'crawl_4' });
    // Read again by a later version of the reader, with the same values.
    await app.database.dataSource.query("UPDATE tender SET fetched_at = fetched_at + interval '1 day' WHERE id = $1", [
      open,
    ]);
    const closed = await store({ sourceId: 'crawl_5', closesAt: new Date('2026-11-09T11:00:00+05:30') });
    const draft = await store({ sourceId: 'crawl_7', publishedAt: new Date('2026-11-11T09:00:00+05:30') });
    const demonstrations = [
      await store({ sourceId: 'crawl_6' }, 'generated'),
      await store({ sourceId: 'crawl_6_moved' }, 'rebased'),
    ];
    const index = (await app.get('/sitemap.xml')).text;
    expect([...index.matchAll(/<loc>([^<]+)</g)].map(([, address]) => address)).toEqual([
      'https://nivida.example/sitemaps/pages.xml',
      'https://nivida.example/sitemaps/tenders-1.xml',
    ]);
    const pages = (await app.get('/sitemaps/pages.xml')).text;
    expect(pages).toContain('<loc>https://nivida.example/pricing</loc>');
    expect(pages).not.toMatch(/nivida\.example\/(?:dashboard|bookmarks|notices|payment-status)</);
    const { text, headers } = await app.get('/sitemaps/tenders-1.xml');
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    for (const path of ['/robots.txt', '/sitemap.xml', '/sitemaps/pages.xml', '/sitemaps/tenders-1.xml'])
      expect((await app.get(path)).headers['cache-control']).toBe('public, max-age=3600');
    for (const path of [`/tenders/${open}`, `/hi/tenders/${open}`])
      expect(text).toContain(`<loc>https://nivida.example${path}</loc><lastmod>2026-11-10T06:00:00Z</lastmod>`);
    expect(text).not.toContain(`/tenders/${closed}<`);
    expect(headers['cache-control']).toBe('public, max-age=3600');
    const index404 = await app.get('/sitemaps/tenders-2.xml');
    expect(index404.headers['cache-control']).toBe('no-store');
    for (const map of [index, pages, text]) {
      expect(map).toMatch(
        /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<(?:sitemapindex|urlset) xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9"(?: xmlns:xhtml="http:\/\/www\.w3\.org\/1999\/xhtml")?>\n/,
      );
      expect(map).toMatch(/\n<\/(?:sitemapindex|urlset)>\n$/);
    }
    expect(pages).not.toContain('<lastmod>');
    for (const id of [draft, ...demonstrations]) expect(text).not.toContain(`/tenders/${id}<`);
  });

  test('names each page in each language; there the page is, and it names the same addresses', async () => {
    await store({ sourceId: 'languages_1' });
    const { DOMParser } = new Window();
    for (const name of ['pages', 'tenders-1']) {
      const { text } = await app.get(`/sitemaps/${name}.xml`);
      const entries = [...new DOMParser().parseFromString(text, 'application/xml').getElementsByTagName('url')].map(
        (url) => ({
          address: url.getElementsByTagName('loc')[0]?.textContent ?? '',
          links: addressesOf(url.getElementsByTagName('xhtml:link')),
        }),
      );
      expect(entries.length).toBeGreaterThan(1);
      const mapped = new Set(entries.map(({ address }) => address));
      for (const { address, links } of entries) {
        expect(Object.keys(links)).toEqual([...languages(), 'x-default']);
        expect(links['x-default']).toBe(links.en);
        expect(Object.values(links)).toContain(address);
        for (const other of Object.values(links)) expect(mapped).toContain(other);
        const page = await app.get(address.slice(ORIGIN.length), BROWSER);
        expect([address, page.status]).toEqual([address, 200]);
        const { canonical, alternates } = readHead(page.text);
        expect([canonical, alternates]).toEqual([address, links]);
      }
    }
  });

  test.each(['tenders-2.xml', 'tenders-0.xml', 'tenders-x.xml', 'other.xml'])('has no file %s', async (name) => {
    expect((await app.get(`/sitemaps/${name}`)).status).toBe(404);
  });
});
