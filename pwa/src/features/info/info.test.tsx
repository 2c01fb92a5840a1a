import { msg } from '@lingui/core/macro';
import { i18n } from '@nivida/contract/i18n';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { Figures } from './Figures.tsx';
import { homeServices, type Service } from './home-services.ts';
import { LegalPage } from './LegalPage.tsx';
import { ServiceTiles } from './ServiceTiles.tsx';
import { allServices, benefits } from './services.ts';

afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
});

/** The links with their addresses. */
const linksIn = (element: Element) =>
  [...element.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]);

const openTerms = (hash = '') =>
  openTestPage(
    <LegalPage
      {...{ title: 'Terms of Service', updated: '2026-11-21', lead: <p>In short.</p> }}
      sections={[
        { id: 'who', title: 'Who we are', body: <p>The operator.</p> },
        { id: 'paying', title: 'Paying', body: <p>Once a year.</p> },
      ]}
      contents={[{ id: 'earlier', title: 'Earlier version' }]}
    >
      <section id="earlier">As of 2024.</section>
    </LegalPage>,
    `/terms${hash}`,
  );

test('a legal text has its day, its sections, and a table of contents that leads to each', async () => {
  const { page, texts } = await openTerms();
  expect(texts('h1')).toEqual(['Terms of Service']);
  const updated = page.querySelector('time');
  expect([updated?.getAttribute('datetime'), updated?.textContent]).toEqual(['2026-11-21', '21 Nov 2026']);
  expect(page.querySelector('header')?.textContent).toContain('In short.');
  const sections = [...page.querySelectorAll('section section, section[aria-labelledby]')];
  expect(sections.map((section) => [section.id, section.textContent])).toEqual([
    ['who', 'Who we areThe operator.'],
    ['paying', 'PayingOnce a year.'],
  ]);
  for (const section of sections) expect(section.getAttribute('aria-labelledby')).toBe(section.querySelector('h2')?.id);
  expect(page.querySelector('nav')?.getAttribute('aria-label')).toBe('On this page');
  const entries = [
    ['Who we are', '/terms#who'],
    ['Paying', '/terms#paying'],
    ['Earlier version', '/terms#earlier'],
  ];
  // Folded on a phone, open beside the text on a wide screen.
  expect([...page.querySelectorAll('nav ol')].map(linksIn)).toEqual([entries, entries]);
  expect(page.querySelector<HTMLDetailsElement>('nav details')?.open).toBe(false);
  expect(texts('#earlier')).toEqual(['As of 2024.']);
});

test('a legal text is scrolled to the section of its address, at the start and when the address changes', async () => {
  const scrolled: string[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled.push(this.id);
  });
  const { router } = await openTerms('#paying');
  expect(scrolled).toEqual(['paying']);
  for (const to of ['#who', '/terms', '#nowhere']) await act(async () => router.navigate(to));
  expect(scrolled).toEqual(['paying', 'who']);
});

test('an entry of the contents adds no step to the history', async () => {
  const { press, router, address } = await openTerms();
  const before = router.state.historyAction;
  await press('Paying');
  expect([before, router.state.historyAction, address()]).toEqual(['POP', 'REPLACE', '/terms#paying']);
});

test('a figure stands above its label, and a figure that the operator hides is not on the page', async () => {
  const figures = [
    { text: msg`5,000+`, label: msg`active contractors`, shown: true },
    { text: msg`95%`, label: msg`success rate`, shown: false },
  ];
  const { texts } = await openTestPage(<Figures figures={figures} />);
  expect(texts('dt, dd')).toEqual(['active contractors', '5,000+']);
  expect((await openTestPage(<Figures figures={figures.slice(1)} />)).page.querySelector('dl')).toBeNull();
});

test('a card of a service has its claim and marks what is planned; without a target it is no link', async () => {
  const tiles: readonly Service[] = [
    {
      ...{ icon: 'bell', title: 'Alerts', text: 'Before it closes.', status: 'available' },
      claim: { text: msg`Fast`, shown: true },
    },
    {
      ...{ icon: 'rupee', title: 'Guarantees', text: 'Without the branch.', status: 'soon' },
      claim: { text: msg`0 %`, shown: false },
    },
  ];
  const { page } = await openTestPage(<ServiceTiles tiles={tiles} columns={3} />);
  expect(
    [...page.querySelectorAll('li')].map((tile) =>
      [...tile.querySelectorAll('h3, p')].map(({ textContent }) => textContent),
    ),
  ).toEqual([
    ['Alerts', 'Fast', 'Before it closes.'],
    ['Guarantees', 'Without the branch.', 'Coming soon'],
  ]);
  expect(page.querySelectorAll('a')).toHaveLength(0);
  expect(page.querySelectorAll('svg')).toHaveLength(2);
  expect(page.querySelector('ul')?.getAttribute('data-columns')).toBe('3');
  const linked = await openTestPage(<ServiceTiles tiles={tiles} columns={4} to="/services" />);
  expect(linked.texts('a h3')).toEqual(['Alerts', 'Guarantees']);
  expect(linksIn(linked.page).map(([, to]) => to)).toEqual(['/services', '/services']);
});

test('the services are marked as planned where they are, and the benefits have their own claims', () => {
  const soon = (services: readonly Service[]) =>
    services.filter(({ status }) => status === 'soon').map(({ title }) => title);
  expect(allServices().map(({ title }) => title)).toEqual([
    ...['Tender Management', 'AI Bid Prediction', 'Fintech Solutions', 'Competitive Analysis'],
    ...['Real-time Notifications', 'Access for Teams'],
  ]);
  expect(soon(allServices())).toEqual(['Fintech Solutions']);
  expect(homeServices()).toEqual(allServices().slice(0, 4));
  expect(benefits(false).map(({ title, claim }) => [title, claim && i18n._(claim.text)])).toEqual([
    ['Time for the bid', 'Up to 70% time saving'],
    ['Nothing overlooked', 'Tenders from 1000+ organisations'],
    ['A price that fits', 'Plans from ₹999 per month'],
  ]);
});
