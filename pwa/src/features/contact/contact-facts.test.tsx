import { afterEach, expect, test, vi } from 'vitest';
import { openTestPage } from '../../ui/test-page.tsx';
import { Faq } from './Faq.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const NONE = { supportEmail: null, privacyEmail: null, dpoEmail: null, supportPhone: null };

/** The terms with their facts, and the links of the panel after a start with these settings. */
async function open(settings: object) {
  vi.resetModules();
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
  localStorage.setItem('site', JSON.stringify(settings));
  const { ContactFacts } = await import('./ContactFacts.tsx');
  const { openTestPage: openNewPage } = await import('../../ui/test-page.tsx');
  const page = await openNewPage(<ContactFacts />);
  const facts = [...page.page.querySelectorAll('dl > div')].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );
  const links = [...page.page.querySelectorAll('a')].map((link) => link.getAttribute('href'));
  // A call that is still waiting for the first screen would be made in a later test.
  (await import('../../data/first-screen.ts')).reportScreenReady();
  await (await import('../../data/server/site.ts')).refreshSite();
  await page.close();
  return { facts, links };
}

const HOURS = ['Support hours', 'Monday-Friday 9am-5pm IST', 'Response within 24 hours'];

test('the support is reached by each address and number that the operator has set', async () => {
  const { facts, links } = await open({
    supportEmail: 'help@nivida.example',
    privacyEmail: 'privacy@nivida.example',
    dpoEmail: 'officer@nivida.example',
    supportPhone: '+91 (177) 265-1234',
    legalName: 'Pahari Data LLP',
    legalAddress: '2 Ridge, Shimla 171001',
  });
  expect(facts).toEqual([
    ['Support', 'help@nivida.example'],
    ['Privacy', 'privacy@nivida.example'],
    ['Data protection officer', 'officer@nivida.example'],
    ['Telephone', '+91 (177) 265-1234'],
    HOURS,
    ['Address', 'Pahari Data LLP', '2 Ridge, Shimla 171001'],
  ]);
  expect(links).toEqual([
    'mailto:help@nivida.example',
    'mailto:privacy@nivida.example',
    'mailto:officer@nivida.example',
    'tel:+911772651234',
  ]);
});

test.each<[object, string[][]]>([
  [NONE, [HOURS]],
  [{ ...NONE, dpoEmail: 'officer@nivida.example' }, [['Data protection officer', 'officer@nivida.example'], HOURS]],
  [{ ...NONE, legalName: 'Pahari Data LLP' }, [HOURS, ['Address', 'Pahari Data LLP']]],
  [{ ...NONE, legalAddress: '2 Ridge, Shimla' }, [HOURS, ['Address', '2 Ridge, Shimla']]],
])('with the settings %j only what is set is shown', async (settings, facts) => {
  expect((await open(settings)).facts).toEqual(facts);
});

test('of the four questions one is open at a time, and the answer about prices leads to them', async () => {
  const page = await openTestPage(<Faq />);
  const questions = [...page.page.querySelectorAll('details')];
  expect(questions.map((each) => each.getAttribute('name'))).toEqual(Array(4).fill('faq'));
  expect(page.texts('summary')).toEqual([
    'Do I submit my bid here?',
    'What do I pay ₹99 for?',
    'Does it work without a connection?',
    'How do I know that a closing date is still right?',
  ]);
  expect(page.button('plans and prices').getAttribute('href')).toBe('/pricing');
});
