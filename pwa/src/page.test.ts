// @vitest-environment node
import { describe, expect, test } from 'vitest';
import type { PageData } from './data/server/page.ts';
import { currentSite } from './data/server/site.ts';
import { renderPage } from './page.tsx';

const NOW = new Date('2026-11-10T11:30:00+05:30');
/** Only one address is configured. */
const SITE = { ...currentSite(), supportEmail: 'help@nivida.example', payments: 'live' as const };
const render = (address: string, data: PageData = {}) => renderPage(address, { site: SITE, ...data });

/** The response to the home page's call. */
const counts = (open: number) => ({
  call: 'api/regions',
  at: NOW.toISOString(),
  answer: { states: [{ state: 'Goa', slug: 'goa', open, demonstration: false }], fetched_at: NOW.toISOString() },
});

describe('the page that the server renders', () => {
  test('shows its screen within the frame', async () => {
    const html = await render('/contact');
    expect(html).toContain('<h1>Contact</h1>');
    expect(html).toContain('help@nivida.example');
    expect(html).toContain('<footer');
  });

  test('shows its own answer, and not the answer of the previous page', async () => {
    const [goa, both] = await Promise.all([render('/', { answer: counts(7) }), render('/', { answer: counts(1_234) })]);
    expect(goa).toMatch(/>7<.*tenders? open now|tenders? open now.*>7</s);
    expect(both).toMatch(/>1,234</);
    expect(await render('/')).not.toMatch(/open now/);
  });

  test('has no title, which is in the head, and no style that the security policy would refuse', async () => {
    const html = await render('/pricing');
    expect(html).not.toContain('<title');
    expect(html).not.toContain(' style="');
  });

  test.each(['/dashboard', '/bookmarks', '/tenders/results', '/tenders/results?state=Goa', '/tenders/1'])(
    'is empty at %s, which only the browser can render completely',
    async (address) => {
      expect(await render(address)).toBe('');
    },
  );

  test('has forms that work without the app or do nothing, so that typed text never appears in an address', async () => {
    expect(await render('/', { answer: counts(7) })).toMatch(/<form[^>]* action="\/tenders\/results"/);
    expect(await render('/tenders', { answer: counts(7) })).toMatch(/<form[^>]* action="\/tenders\/results"/);
    expect(await render('/contact')).toMatch(/<form[^>]* method="dialog"/);
  });
});
