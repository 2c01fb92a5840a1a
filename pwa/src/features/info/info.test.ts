import { act } from 'preact/test-utils';
import { createElement as h, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { Figures } from './Figures.tsx';
import { LegalPage } from './LegalPage.tsx';
import { ServiceTiles } from './ServiceTiles.tsx';
import { ALL_SERVICES, BENEFITS, HOME_SERVICES, type Service } from './services.ts';

afterEach(() => vi.restoreAllMocks());

function open(element: ReactNode, address = '/terms') {
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [address] });
  act(() => void root.render(h(RouterProvider, { router })));
  onTestFinished(() => {
    act(() => root.unmount());
    page.remove();
  });
  return { page, router };
}

const SECTIONS = [
  { id: 'who', title: 'Who we are', body: h('p', null, 'The operator.') },
  { id: 'paying', title: 'Paying', body: h('p', null, 'Once a year.') },
];
const legal = (more = {}) =>
  h(LegalPage, {
    title: 'Terms of Service',
    updated: '2026-11-21',
    lead: h('p', null, 'In short.'),
    sections: SECTIONS,
    ...more,
  });

test('a legal text has its day, its sections, and a table of contents that leads to each', () => {
  const contents = [{ id: 'earlier', title: 'Earlier version' }];
  const { page } = open(legal({ contents, children: h('section', { id: 'earlier' }, 'As of 2024.') }));
  expect(page.querySelector('h1')?.textContent).toBe('Terms of Service');
  const updated = page.querySelector('time');
  expect([updated?.getAttribute('datetime'), updated?.textContent]).toEqual(['2026-11-21', '21 Nov 2026']);
  expect(page.querySelector('header')?.textContent).toContain('In short.');
  const sections = [...page.querySelectorAll('section section, section[aria-labelledby]')];
  expect(sections.map((section) => [section.id, section.textContent])).toEqual([
    ['who', 'Who we areThe operator.'],
    ['paying', 'PayingOnce a year.'],
  ]);
  for (const section of sections) expect(section.getAttribute('aria-labelledby')).toBe(section.querySelector('h2')?.id);
  const nav = page.querySelector('nav');
  expect(nav?.getAttribute('aria-label')).toBe('On this page');
  const entries = [
    ['Who we are', '/terms#who'],
    ['Paying', '/terms#paying'],
    ['Earlier version', '/terms#earlier'],
  ];
  // Folded on a phone, open beside the text on a wide screen.
  expect(
    [...(nav?.querySelectorAll('ol') ?? [])].map((list) =>
      [...list.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]),
    ),
  ).toEqual([entries, entries]);
  expect(nav?.querySelector('details')?.open).toBe(false);
  expect(page.querySelector('#earlier')?.textContent).toBe('As of 2024.');
});

test('a legal text is scrolled to the section of its address, at the start and when the address changes', async () => {
  const scrolled: string[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled.push(this.id);
  });
  const { router } = open(legal(), '/terms#paying');
  expect(scrolled).toEqual(['paying']);
  await act(async () => router.navigate('#who'));
  await act(async () => router.navigate('/terms'));
  await act(async () => router.navigate('#nowhere'));
  expect(scrolled).toEqual(['paying', 'who']);
});

test('an entry of the contents adds no step to the history', async () => {
  const { page, router } = open(legal());
  const before = router.state.historyAction;
  await act(async () => page.querySelector<HTMLElement>('nav a[href="/terms#paying"]')?.click());
  expect([before, router.state.historyAction, router.state.location.hash]).toEqual(['POP', 'REPLACE', '#paying']);
});

test('a figure stands above its label, and a figure that the operator hides is not on the page', () => {
  const figures = [
    { text: '5,000+', label: 'active contractors', shown: true },
    { text: '95%', label: 'success rate', shown: false },
  ];
  const { page } = open(h(Figures, { figures }));
  expect([...page.querySelectorAll('dt, dd')].map(({ textContent }) => textContent)).toEqual([
    'active contractors',
    '5,000+',
  ]);
  expect(open(h(Figures, { figures: figures.slice(1) })).page.querySelector('dl')).toBeNull();
});

const TILES: readonly Service[] = [
  {
    icon: 'bell',
    title: 'Alerts',
    text: 'Before it closes.',
    status: 'available',
    claim: { text: 'Fast', shown: true },
  },
  {
    icon: 'rupee',
    title: 'Guarantees',
    text: 'Without the branch.',
    status: 'soon',
    claim: { text: '0 %', shown: false },
  },
];

test('a card of a service has its claim and marks what is planned; without a target it is no link', () => {
  const { page } = open(h(ServiceTiles, { tiles: TILES, columns: 3 }));
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
  const linked = open(h(ServiceTiles, { tiles: TILES, columns: 4, to: '/services' })).page;
  expect(
    [...linked.querySelectorAll('a')].map((link) => [link.getAttribute('href'), link.querySelector('h3')?.textContent]),
  ).toEqual([
    ['/services', 'Alerts'],
    ['/services', 'Guarantees'],
  ]);
});

test('the services are marked as planned where they are, and the benefits have their own claims', () => {
  const soon = (services: readonly Service[]) =>
    services.filter(({ status }) => status === 'soon').map(({ title }) => title);
  expect(ALL_SERVICES.map(({ title }) => title)).toEqual([
    ...['Tender Management', 'AI Bid Prediction', 'Fintech Solutions', 'Competitive Analysis'],
    ...['Real-time Notifications', 'Access for Teams'],
  ]);
  expect(soon(ALL_SERVICES)).toEqual(['Fintech Solutions', 'Access for Teams']);
  expect(HOME_SERVICES).toEqual(ALL_SERVICES.slice(0, 4));
  expect(BENEFITS.map(({ title, claim }) => [title, claim?.text])).toEqual([
    ['Time for the bid', 'Up to 70% time saving'],
    ['Nothing overlooked', 'Tenders from 1000+ organisations'],
    ['A price that fits', 'Plans from ₹999 per month'],
  ]);
});
