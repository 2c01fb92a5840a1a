// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { currentSite } from './data/server/site.ts';
import { drawPage, type PageParts } from './page.tsx';

const NOW = new Date('2026-11-10T11:30:00+05:30');
/** Nothing is configured but one address. */
const SITE = { ...currentSite(), supportEmail: 'help@nivida.example' };
const draw = (address: string, parts: Partial<PageParts> = {}) =>
  drawPage({ address, site: SITE, now: NOW, isWide: false, ...parts });

/** The answer to the home page's call. */
const counts = (open: number) => ({
  call: 'api/regions',
  at: NOW.toISOString(),
  answer: { states: [{ state: 'Goa', slug: 'goa', open, demonstration: false }], fetched_at: NOW.toISOString() },
});

describe('the page that the server draws', () => {
  test('says what its screen says, within the frame', async () => {
    const html = await draw('/contact');
    expect(html).toContain('<h1>Contact</h1>');
    expect(html).toContain('help@nivida.example');
    expect(html).toContain('<footer');
  });

  test('shows its own answer, and not that of the page before it', async () => {
    const [goa, both] = await Promise.all([draw('/', { answer: counts(7) }), draw('/', { answer: counts(1_234) })]);
    expect(goa).toMatch(/>7<.*tenders? open now|tenders? open now.*>7</s);
    expect(both).toMatch(/>1,234</);
    expect(await draw('/')).not.toMatch(/open now/);
  });

  test('has no title, which its head has, and no style that the security policy would refuse', async () => {
    const html = await draw('/pricing');
    expect(html).not.toContain('<title');
    expect(html).not.toContain(' style="');
    expect(html).toContain(' data-style="--covered:');
  });

  test.each(['/dashboard', '/tenders/results', '/tenders/results?state=Goa', '/tenders/1'])(
    'is empty at %s, which cannot be complete: the app draws it',
    async (address) => {
      expect(await draw(address)).toBe('');
    },
  );

  test('of a text has its contents open on a desktop, folded on a phone', async () => {
    expect(await draw('/privacy', { isWide: true })).toContain('<details open="">');
    expect(await draw('/privacy')).toContain('<details>');
  });
});
