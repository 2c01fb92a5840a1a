// @vitest-environment node
import { indianDay } from '@nivida/contract/format';
import { pageEntries } from '@nivida/contract/site/pages';
import { describe, expect, test } from 'vitest';
import type { PageData } from './data/server/page.ts';
import { currentSite } from './data/server/site.ts';
import { renderPage } from './page.tsx';

const NOW = new Date('2026-11-10T11:30:00+05:30');
/** Only one address is configured. */
const SITE = { ...currentSite(), supportEmail: 'help@nivida.example', payments: 'live' as const };
/** The page without the marks that React puts between two texts. */
async function render(address: string, data: PageData = {}): Promise<string> {
  return (await renderPage(address, { site: SITE, ...data })).replaceAll('<!-- -->', '');
}

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

  test('says that payments are tests, where they are, and that prices include GST, where the seller is registered', async () => {
    const test = await render('/pricing', { site: { ...SITE, payments: 'sandbox', gstin: '02ABCDE1234F1ZC' } });
    expect(test).toMatch(/<aside[^>]* aria-label="Payments"[^>]*>Test payments<\/aside>/);
    expect(test.split('paid once a year, GST included')).toHaveLength(4);
    const live = await render('/pricing');
    expect(live).not.toContain('Test payments');
    expect(live).not.toContain('GST included');
    expect(live.split('paid once a year<')).toHaveLength(4);
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

  /** The text of a part of the page, without its markup. */
  const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  const site = (changes: Partial<ReturnType<typeof currentSite>>) => ({
    site: { ...SITE, ...changes } as NonNullable<PageData['site']>,
  });

  test('names the operator in its legal texts as far as it is configured', async () => {
    const bare = await render('/terms');
    expect(textOf(bare)).toContain('“We” is the operator of this site.');
    expect(bare).not.toMatch(/<dt>(?:Address|Telephone)/);
    const named = await render(
      '/terms',
      site({ legalName: 'Pahari Data LLP', legalAddress: '1 The Mall, Shimla', supportPhone: '+91 177 265-0000' }),
    );
    expect(textOf(named)).toContain('“We” is Pahari Data LLP.');
    expect(named).toContain('<dt>Address</dt><dd>1 The Mall, Shimla</dd>');
    expect(named).toContain('<dt>Telephone</dt><dd><a href="tel:+911772650000">+91 177 265-0000</a></dd>');
    const called = await render('/privacy', site({ supportPhone: '0177 2650000' }));
    expect(called).toContain('<a href="tel:01772650000">0177 2650000</a>');
    expect(called).not.toContain('<dt>Address</dt>');
    const placed = await render('/privacy', site({ legalAddress: '1 The Mall' }));
    expect(placed).toContain('<dd>1 The Mall</dd>');
    expect(placed).not.toContain('<dt>Telephone</dt>');
  });

  test.each([
    ['/terms', 'supportEmail'],
    ['/refund', 'supportEmail'],
    ['/privacy', 'privacyEmail'],
    ['/cookies', 'privacyEmail'],
    ['/gdpr', 'dpoEmail'],
  ] as const)('%s asks to write to the %s, or to the contact form', async (path, setting) => {
    const own = Object.assign(
      { supportEmail: null, privacyEmail: null, dpoEmail: null },
      { [setting]: 'own@nivida.example' },
    );
    const html = await render(path, site(own));
    expect(html).toContain('<a href="mailto:own@nivida.example">own@nivida.example</a>');
    const none = await render(path, site({ supportEmail: null, privacyEmail: null, dpoEmail: null }));
    expect(none).not.toContain('mailto:');
    expect(none).toMatch(/href="\/contact"[^>]*>our contact form<\/a>/);
  });

  test('names the grievance officer and the address for complaints', async () => {
    for (const path of ['/terms', '/refund', '/privacy', '/gdpr']) {
      const html = await render(
        path,
        site({ grievanceName: 'Ravi Thakur', grievanceEmail: 'grievance@nivida.example' }),
      );
      expect(textOf(html)).toContain(
        'Complaints go to our grievance officer, Ravi Thakur: grievance@nivida.example . Please say what happened',
      );
      expect(html).toContain('href="mailto:grievance@nivida.example"');
    }
    expect(textOf(await render('/terms'))).toContain('Complaints go to our grievance officer: our contact form .');
  });

  test('has the data protection notice in Hindi, marked as Hindi', async () => {
    const html = await render('/gdpr', site({ dpoEmail: 'dpo@nivida.example' }));
    const hindi = html.slice(html.indexOf('<div lang="hi">'));
    expect(hindi).toContain('डेटा के बारे में सूचना');
    expect(hindi).toContain('href="mailto:dpo@nivida.example"');
    expect(hindi).toMatch(/href="\/privacy"[^>]*>Privacy Policy<\/a>/);
  });

  test('links to the legal pages in a new tab, and to the site of the operator elsewhere if there is one', async () => {
    const footerOf = async (socialUrl: string | null) => {
      const html = await render('/about', site({ socialUrl }));
      return html.slice(html.indexOf('<footer'), html.indexOf('</footer>'));
    };
    const footer = await footerOf('https://www.linkedin.com/company/nivida');
    expect(footer).toContain(
      '<a href="https://www.linkedin.com/company/nivida" target="_blank" rel="noopener noreferrer">Follow us on linkedin.com</a>',
    );
    expect(await footerOf('https://social.example/@nivida')).toContain('Follow us on social.example<');
    const none = await footerOf(null);
    expect(none).not.toContain('Follow us');
    expect([...none.matchAll(/<a ([^>]*)>([^<]+)<\/a>/g)].map(([, attributes, name]) => [name, attributes])).toEqual(
      [
        ['About Us', 'href="/about"'],
        ['Help', 'href="/help"'],
        ['Status', 'href="/status"'],
        ['Privacy', 'href="/privacy" target="_blank"'],
        ['Terms', 'href="/terms" target="_blank"'],
        ['Cookies', 'href="/cookies" target="_blank"'],
        ['Refund', 'href="/refund" target="_blank"'],
      ].map(([name, attributes]) => [name, expect.stringContaining(attributes ?? '')]),
    );
  });

  test('says when the tenders were compared with their portals, once that is known', async () => {
    expect(await render('/', { answer: counts(7) })).toContain('Tenders checked 10 Nov 2026, 11:30 AM');
    const { answer, ...call } = counts(7);
    expect(await render('/', { answer: { ...call, answer: { ...answer, fetched_at: null } } })).not.toContain(
      'Tenders checked',
    );
  });

  describe('of Competitive Analysis', () => {
    const analysis = (states: object[]) =>
      render('/analysis', { answer: { call: 'api/awards', at: NOW.toISOString(), answer: { states } } });

    test('lists the states with awards, how much is known and until when', async () => {
      const html = await analysis([
        {
          state: 'Jammu and Kashmir',
          awards: 12_345,
          offices: 67,
          lastKnownOn: '2026-03-02',
          isDemonstration: false,
          version: null,
        },
        { state: 'Goa', awards: 8, offices: 3, lastKnownOn: null, isDemonstration: true, version: null },
      ]);
      expect(html).toContain('href="/analysis/Jammu%20and%20Kashmir"');
      const text = textOf(html);
      expect(text).toContain('Jammu and Kashmir 12,345 awards · 67 offices · until Mar 2026 ');
      expect(text).toContain('Goa 8 awards · 3 offices · demonstration ');
      expect(text).not.toMatch(/Goa 8 awards · 3 offices · until|It does not work yet|Until then/);
      expect(text).toContain('Coming Soon Seasons and trends');
      expect(html).toMatch(/href="\/dashboard\/analytics"[^>]*>.*?My bids in figures/);
    });

    test('says that it is planned when no state has any', async () => {
      const text = textOf(await analysis([]));
      expect(text).toContain('It does not work yet.');
      expect(text).toContain('Until then');
      expect(text).not.toMatch(/States with awards|From published awards/);
      // All but the record of the own bids.
      expect(text.match(/Coming soon/g)).toHaveLength(3);
      expect(text).toContain('Your own record');
    });

    test('is loaded by the browser when its answer is missing', async () => {
      const text = textOf(await render('/analysis'));
      expect(text).toContain('Loading awards');
      expect(text).not.toMatch(/It does not work yet|Coming Soon|States with awards/);
    });
  });

  test('offers the trial on the contact page and the start on the about page to visitors', async () => {
    const contact = textOf(await render('/contact'));
    expect(contact).toContain('Ready to look for tenders? 7-day free trial, no credit card. Start Your Free Trial');
    const about = await render('/about');
    expect(about).toMatch(/<button[^>]* data-visitor[^>]*>/);
    expect(textOf(about)).toContain('Get Started Free Contact Us');
    expect(textOf(about)).not.toContain('My dashboard');
    expect(textOf(about)).toMatch(/contractors Over 5,000 in tenders Over ₹2,500 crore/);
  });

  const fixed = pageEntries().filter(([path, { landing }]) => landing === 'static' || path === '/notices');
  test.each(fixed.map(([path]) => path))(
    '%s names no price, plan, trial or payment where nothing is sold',
    async (path) => {
      const sold = textOf(await render(path));
      const free = textOf(await render(path, { site: { ...SITE, payments: 'none', freePlan: 'premium' } }));
      const ofSales =
        /₹99|per year|\b(?:plans?|pricing|prices?|trial|subscriptions?|purchases?|paid|payments?|refunds?|GST)\b/i;
      // The help page explains the prices and the tax of bids.
      const ofBids = /\b(?:price|paid|GST)\b/gi;
      expect(path === '/help' ? free.replace(ofBids, '') : free).not.toMatch(ofSales);
      expect(free).not.toContain('/pricing');
      if (path === '/pricing' || path === '/refund') expect(free).toMatch(/Free here.*5 states.*up to 200 a day/s);
      else if (path === '/services') expect(sold).toMatch(/pricing/i);
    },
  );

  test('marks the planned services, and links to the prices', async () => {
    const html = await render('/services');
    expect(textOf(html).match(/Coming soon /g)).toHaveLength(1);
    expect(html).toMatch(/href="\/pricing"[^>]*><span[^>]*>View Pricing Plans/);
  });
});
