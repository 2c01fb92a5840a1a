// @vitest-environment node
import { indianDay } from '@nivida/contract/format';
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
  answer: {
    day: indianDay(NOW),
    states: [{ state: 'Goa', slug: 'goa', open, demonstration: false }],
    fetched_at: NOW.toISOString(),
  },
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

  test('shows the closings of the day at its instant', async () => {
    const { answer, ...call } = counts(7);
    const [goa] = answer.states;
    // 2 have closed at 11:00, 3 close at noon
    const closing = [
      [660, 2],
      [720, 3],
    ];
    const states = [{ ...goa, closing, fresh: 4 }];
    const html = await render('/', { answer: { ...call, answer: { ...answer, states } } });
    expect(html).toContain('3 close in the next hour');
    expect(html).toMatch(/11 AM.*2 closed.*noon.*3 close/s);
    const old = { ...call, answer: { ...answer, states, day: indianDay(NOW) - 1 } };
    expect(await render('/', { answer: old })).not.toContain('Closing today');
  });

  test('lists the states with open tenders and folds the others', async () => {
    const html = await render('/', { answer: counts(7) });
    const [shown = '', folded = ''] = html.slice(html.indexOf('id="states"')).split('<details');
    expect(shown).toContain('state=Goa');
    expect(folded).toContain('35 more states');
    expect(folded).toContain('state=Assam');
    expect(folded).not.toContain('state=Goa');
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
