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
    canonical: `${ORIGIN}/tenders/results?state=Jammu%20and%20Kashmir`,
  });
  expect(staticPageMetadata('/tenders/results', ORIGIN, null)).toMatchObject({
    title: 'Open tenders',
    canonical: `${ORIGIN}/tenders/results`,
  });
});
