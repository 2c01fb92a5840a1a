import { LANGUAGES, languages } from '@nivida/contract/languages';
import { expect, test } from 'vitest';
import {
  type PageMetadata,
  staticPageMetadata,
  withMetadata,
  withPageAnswer,
  withRenderedContent,
  withSiteSettings,
} from './page-metadata.ts';

const ORIGIN = 'https://nivida.example';
const BUILT =
  '<head><title>Nivida</title><meta name="description" content="Tenders" /><link rel="icon" href="/i.svg" /></head><body><div id="root"></div></body>';
const HEAD: PageMetadata = { status: 200, title: 'T', description: 'D', canonical: `${ORIGIN}/x` };

// Each could leave its attribute or element, or is a pattern of String.replace.
const HOSTILE = `"><script>alert('1')</script> & $& $' $1`;
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(&apos;1&apos;)&lt;/script&gt; &amp; $&amp; $&apos; $1';

test.each([
  ['title', { title: HOSTILE }, [`<title>${ESCAPED} · Nivida</title>`, `og:title" content="${ESCAPED} · Nivida"`]],
  [
    'description',
    { description: HOSTILE },
    [`name="description" content="${ESCAPED}"`, `og:description" content="${ESCAPED}"`],
  ],
  ['address', { canonical: HOSTILE }, [`rel="canonical" href="${ESCAPED}"`, `og:url" content="${ESCAPED}"`]],
  [
    'card',
    { preview: { title: HOSTILE, description: HOSTILE } },
    [`og:title" content="${ESCAPED}"`, `og:description" content="${ESCAPED}"`],
  ],
] as const)('the %s of a page is text in its head', (_part, change, lines) => {
  const page = withMetadata(BUILT, { ...HEAD, ...change }, ORIGIN);
  for (const line of lines) expect(page).toContain(line);
  expect(page).not.toContain('<script>');
});

test('data about a page cannot end their element', () => {
  const page = withMetadata(BUILT, { ...HEAD, jsonLd: { name: '</script><b>$&' } }, ORIGIN);
  expect(page).toContain('<script type="application/ld+json">{"name":"\\u003c/script>\\u003cb>$&"}</script>');
});

test('a page has one title and one description, and is for search engines unless its head says otherwise', () => {
  const page = withMetadata(BUILT, HEAD, ORIGIN);
  expect(page.match(/<title>/g)).toHaveLength(1);
  expect(page.match(/name="description"/g)).toHaveLength(1);
  expect(page).not.toContain('noindex');
  expect(withMetadata(BUILT, { ...HEAD, isNoIndex: true }, ORIGIN)).toContain('name="robots" content="noindex"');
});

test('the data of the first screen are in the page as they are, and cannot end their element', () => {
  const at = new Date('2026-04-15T05:30:00Z');
  const page = withPageAnswer(BUILT, { call: 'api/tenders/1', json: '{"title":"</script>$&"}', at });
  expect(page).toContain(
    '<script type="application/json" id="answer">{"call":"api/tenders/1","at":"2026-04-15T05:30:00.000Z","answer":{"title":"\\u003c/script>$&"}}</script></head>',
  );
  const site = withSiteSettings(BUILT, { supportEmail: '</script>$&' } as never);
  expect(site).toContain('id="site">{"supportEmail":"\\u003c/script>$&"}</script></head>');
  expect(withRenderedContent(BUILT, "<p>$& $'</p>")).toContain('<div id="root"><p>$& $\'</p></div>');
});

test('the head of a page is this, to the letter', () => {
  const page = withMetadata(
    BUILT,
    { ...HEAD, preview: { title: 'Card', description: 'Of a link' }, jsonLd: { name: 'T' }, isNoIndex: true },
    ORIGIN,
  );
  expect(page.replaceAll(/\n\s*/g, '\n').split('\n')).toEqual([
    '<head><title>T · Nivida</title>',
    '<meta name="description" content="D" />',
    '<link rel="canonical" href="https://nivida.example/x" />',
    '<meta name="robots" content="noindex" />',
    '<meta property="og:title" content="Card" />',
    '<meta property="og:description" content="Of a link" />',
    '<meta property="og:url" content="https://nivida.example/x" />',
    '<meta property="og:type" content="website" />',
    '<meta property="og:site_name" content="Nivida" />',
    '<meta property="og:locale" content="en_IN" />',
    ...languages().flatMap((language) =>
      language === 'en'
        ? []
        : `<meta property="og:locale:alternate" content="${LANGUAGES[language].locale.replace('-', '_')}" />`,
    ),
    '<meta property="og:image" content="https://nivida.example/icons/preview.png" />',
    '<meta property="og:image:type" content="image/png" />',
    '<meta property="og:image:width" content="1200" />',
    '<meta property="og:image:height" content="630" />',
    '<meta property="og:image:alt" content="Nivida: government tenders, down to the closing hour" />',
    '<meta name="twitter:card" content="summary_large_image" />',
    '<script type="application/ld+json">{"name":"T"}</script><link rel="icon" href="/i.svg" /></head><body><div id="root"></div></body>',
  ]);
});

test.each([
  ['/register', 'Create account'],
  ['/reset-password', 'Reset Password'],
  ['/share', 'Find tenders'],
  ['/bookmarks', 'Bookmarked tenders'],
  ['/notices', 'Notices'],
  ['/payment-status', 'Payment status'],
  ['/dashboard', 'Dashboard'],
  ['/dashboard/applications', 'My Applications'],
  ['/dashboard/applications/3f27a93c-8acd-4c0b-a5a3-9198765432ab', 'My Applications'],
  ['/dashboard/documents', 'Document vault'],
  ['/dashboard/payments', 'Payments & EMD'],
  ['/dashboard/analytics', 'Analytics'],
  ['/dashboard/rates', 'Rate book'],
  ['/tenders/12/boq', 'Bill of quantities'],
  ['/dashboard/support', 'Support'],
  ['/dashboard/settings', 'Settings'],
  ['/dashboard/tenders', 'Find tenders'],
])('the page %s of a device has the title %s and is not for search engines', (path, title) => {
  const { title: own, description, status, isNoIndex } = staticPageMetadata(path, ORIGIN, 'Goa');
  expect([own, status, isNoIndex]).toEqual([title, 200, true]);
  expect(description).not.toBe('');
});

test('a path below the bids that is no bid is not found', () => {
  for (const path of ['/dashboard/applications/1', '/dashboard/applications/3f27a93c-8acd-4c0b-a5a3-9198765432ab/x'])
    expect(staticPageMetadata(path, ORIGIN, null)).toEqual({
      status: 404,
      title: 'Page not found',
      description: 'There is no page at this address.',
      canonical: `${ORIGIN}${path}`,
      isNoIndex: true,
    });
});

test.each([
  ['/', null, 200, undefined],
  ['/bookmarks', null, 200, true],
  ['/dashboard/payments', null, 200, true],
  ['/nothing', null, 404, true],
  ['/constructor', null, 404, true],
] as const)('the page %s has status and index mark', (path, state, status, isNoIndex) => {
  const head = staticPageMetadata(path, ORIGIN, state);
  expect([head.status, head.isNoIndex, head.canonical]).toEqual([status, isNoIndex, `${ORIGIN}${path}`]);
});

test('the results of a state have their own title and address', () => {
  expect(staticPageMetadata('/tenders/results', ORIGIN, 'Jammu and Kashmir')).toMatchObject({
    title: 'Open tenders in Jammu and Kashmir',
    description:
      'Government tenders in Jammu and Kashmir that are open now, with value, EMD and the closing hour of each.',
    canonical: `${ORIGIN}/tenders/results?state=Jammu%20and%20Kashmir`,
  });
  expect(staticPageMetadata('/tenders/results', ORIGIN, null)).toMatchObject({
    title: 'Open tenders',
    description: 'Government tenders in India that are open now, with value, EMD and the closing hour of each.',
    canonical: `${ORIGIN}/tenders/results`,
  });
});
