// @vitest-environment-options { "url": "http://localhost/" }
import { setLanguage } from '@nivida/contract/i18n';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { act } from 'react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { Bidding } from './Bidding.tsx';
import { ClosingPanel } from './ClosingPanel.tsx';
import { CorrigendumList } from './corrigenda/CorrigendumList.tsx';
import { type DocumentsAvailability, DownloadBar, DownloadPanel } from './documents/DocumentActions.tsx';
import { Documents } from './documents/Documents.tsx';
import { TenderKeyFacts } from './facts/TenderKeyFacts.tsx';
import { Overview } from './Overview.tsx';
import { TenderPageHeader } from './TenderPageHeader.tsx';
import { TenderError, TenderNotFound } from './TenderPlaceholders.tsx';
import { TenderView } from './TenderView.tsx';

afterEach(async () => {
  await closeTestPages();
  vi.unstubAllGlobals();
  setLanguage('en');
});

const NOW = new Date('2026-04-13T05:30:00Z');

/** The page of a tender, opened at a tab. */
const openTender = (tender: Partial<Tender> = {}, tab = '', onChecklist = () => {}) =>
  openTestPage(
    <TenderView
      onChecklist={onChecklist}
      {...{ tender: testTenderDetail(tender), now: NOW, backLabel: 'Back', onBack: () => undefined }}
      {...{ renderActions: () => null, checklist: 'The sheet' }}
      {...{ documents: { way: 'ask', note: '' } as const, onDocuments: () => undefined }}
    />,
    `/${tab}`,
  );

test('the checklist is loaded when a finger goes down on its tab', async () => {
  const onChecklist = vi.fn();
  const { button } = await openTender({}, '', onChecklist);
  for (const tab of ['Documents', 'Checklist']) button(tab).dispatchEvent(new Event('pointerdown', { bubbles: true }));
  expect(onChecklist).toHaveBeenCalledOnce();
});

test('in a Hindi page the English texts of a portal say that they are English', async () => {
  setLanguage('hi');
  const { texts } = await openTender({
    ...{ title: 'Repair of road', description: 'Repair of the road to Kaza', org_name: 'PWD Kaza' },
    ...{ organisation_chain: ['HPPWD', 'PWD Kaza'] },
    nit_siblings: [{ _id: '9', title: 'Culvert', source_tender_id: '2026_PWD_1_2' }],
  });
  const english = texts('[lang="en"]');
  for (const text of ['Repair of road', 'Repair of the road to Kaza', 'PWD Kaza', 'HPPWD › PWD Kaza', 'Culvert'])
    expect(english).toContain(text);
});

test('a moved closing is beside the facts on a phone, and in the side column of a wide screen', async () => {
  const moved: Tender['corrigenda'][number] = {
    ...{ title: 'Extension', type: 'Date', noticed_at: '2026-04-12T05:30:00.000Z' },
    changes: [{ field: 'closing_date', old: '2026-04-15T05:30:00.000Z', new: '2026-04-20T05:30:00.000Z' }],
  };
  const notes = async (corrigenda: Tender['corrigenda']) => {
    const { texts } = await openTender({ corrigenda });
    return ['article', 'aside'].map((part) => texts(`${part} [aria-label="Last change"] p`));
  };
  const dates = 'Closing moved from 15 Apr to 20 Apr, on 12 Apr.';
  expect(await notes([moved])).toEqual([[dates], [dates]]);
  expect(await notes([])).toEqual([[], []]);
});

test('a tender of two portals names both, and says beside the facts where the second differs', async () => {
  const pageOf = async (other: Partial<NonNullable<Tender['other_sources']>[number]>, tender: Partial<Tender> = {}) => {
    const source = { portal: 'eprocure', closing_date: '2026-04-15T05:30:00.000Z', closing_time_known: true };
    const other_sources = [{ ...source, stage: 'published' as const, ...other }];
    const { texts, text } = await openTender({ ...tender, other_sources });
    return { notes: ['article', 'aside'].map((part) => texts(`${part} [aria-label="Other portals"] p`)), text: text() };
  };
  const same = await pageOf({});
  expect(same.text).toContain('hptenders.gov.in · 2026_PWD_100001_1Also at eprocureOpen the portal');
  const differing = (sentence: string) => Array(2).fill([sentence, 'Ask the office which is right.']);
  expect(same.notes).toEqual([[], []]);
  expect((await pageOf({ closing_date: '2026-12-12T05:30:00.000Z' })).notes).toEqual(
    differing('eprocure says 12 Dec 2026, 11:00 AM'),
  );
  // of a closing without its hour the day counts
  const day = { closing_date: '2026-04-15T18:29:59.000Z', closing_time_known: false };
  expect((await pageOf(day)).notes).toEqual([[], []]);
  expect((await pageOf({ ...day, closing_date: '2026-04-16T18:29:59.000Z' })).notes).toEqual(
    differing('eprocure says 16 Apr 2026'),
  );
  expect((await pageOf({ stage: 'cancelled' }, { stage: 'published' })).notes).toEqual(
    differing('eprocure says cancelled'),
  );
  expect((await pageOf({ stage: 'cancelled' }, { stage: 'cancelled' })).notes).toEqual([[], []]);
});

test.each([
  ['', true],
  ['#documents', true],
  ['#checklist', false],
])('a tender printed at the tab "%s" has its facts: %s', async (tab, hasFacts) => {
  const { text } = await openTender({ description: 'With a culvert' }, tab);
  const facts = () => ['With a culvert', 'Bid submission ends'].map((fact) => text().includes(fact));
  window.dispatchEvent(new Event('beforeprint'));
  expect(facts()).toEqual([hasFacts, hasFacts]);
  await act(async () => void window.dispatchEvent(new Event('afterprint')));
  expect(facts()).toEqual([tab === '', false]);
});

const wordsOf = (element: Element | null | undefined) => element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';

/** The facts of a part of the page: 'EMD: Not required'. The meaning of a short form is left out. */
const factsOf = (page: Element) =>
  [...page.querySelectorAll('dl > div')].map((fact) => {
    const name = fact.querySelector('dt button') ?? fact.querySelector('dt');
    return `${wordsOf(name)}: ${wordsOf(fact.querySelector('dd'))}`;
  });
const linksOf = (page: Element) =>
  [...page.querySelectorAll('a')].map((link) => `${wordsOf(link)}: ${link.getAttribute('href')}`);

const FULL: Partial<Tender> = {
  ...{ description: 'With a culvert', sub_category: 'Roads', tender_type: 'Open', form_of_contract: 'Item rate' },
  ...{ period_of_work_days: 1, bid_validity_days: 120, reference_number: 'NIT-7', nit_works: 3 },
  ...{ organisation_chain: ['HPPWD', 'Nirmand'], place: 'Nirmand', district: 'Kullu', pincode: '172023' },
  nit_siblings: [{ _id: '9', title: 'Second work', source_tender_id: '2026_PWD_9_1' }],
};

test('the overview has the work, its notice, its authority and its source', async () => {
  const { page } = await openTestPage(<Overview tender={testTenderDetail(FULL)} />);
  expect(factsOf(page)).toEqual([
    ...['Work: With a culvert', 'Category: Works, Roads', 'Tender type: Open', 'Form of contract: Item rate'],
    ...['Period of work: 1 day', 'Bid validity: 120 days', 'Department: PWD'],
    'NIT: NIT-73 works in this NITSecond work2026_PWD_9_1',
    ...['Organisation: HPPWD › Nirmand', 'Place: Nirmand, Kullu, Himachal Pradesh, 172023'],
    'Source: hptenders.gov.in · 2026_PWD_100001_1Open the portal: search the tender ID there.Fetched at 15 Apr 2026, 10:30 AM. This is not a government site. Report an error',
  ]);
  expect(linksOf(page)).toEqual([
    'Second work2026_PWD_9_1: /tenders/9',
    'Open the portal: https://hptenders.gov.in',
    'Report an error: /contact?subject=Error%20in%20tender%202026_PWD_100001_1',
  ]);
});

test('the overview of a work in two districts names both', async () => {
  const placeOf = async (fields: Partial<Tender>) =>
    factsOf((await openTestPage(<Overview tender={testTenderDetail(fields)} />)).page).find((fact) =>
      fact.startsWith('Place'),
    );
  expect(await placeOf({ second_district: 'Sirmaur' })).toBe('Place: Solan and Sirmaur, Himachal Pradesh');
  expect(await placeOf({ second_district: 'Sirmaur', place: 'Solan and Sirmaur' })).toBe(
    'Place: Solan and Sirmaur, Himachal Pradesh',
  );
});

test('the overview folds the other works of a NIT that has many', async () => {
  const withSiblings = async (count: number) => {
    const nit_siblings = Array.from({ length: count }, (_, at) => {
      return { _id: `${at + 9}`, title: `Work ${at}`, source_tender_id: `2026_PWD_9_${at}` };
    });
    const { page } = await openTestPage(<Overview tender={testTenderDetail({ nit_siblings })} />);
    const fold = page.querySelector('details');
    return [fold?.querySelector('summary')?.textContent, fold?.open, page.querySelectorAll('li a').length];
  };
  expect(await withSiblings(34)).toEqual(['Show the 34 other works', false, 34]);
  expect(await withSiblings(5)).toEqual([undefined, undefined, 5]);
});

test('the overview leaves out what the portal does not give, and a demonstration has no portal', async () => {
  const overviewOf = async (fields: Partial<Tender>) =>
    factsOf((await openTestPage(<Overview tender={testTenderDetail(fields)} />)).page);
  expect((await overviewOf({})).slice(0, -1)).toEqual([
    ...['Category: Works', 'Department: PWD', 'Organisation: PWD', 'Place: Solan, Himachal Pradesh'],
  ]);
  expect(await overviewOf({ reference_number: 'NIT-7' })).toContain('NIT: NIT-7');
  const { nit_siblings } = FULL;
  expect(await overviewOf({ ...(nit_siblings && { nit_siblings }) })).toContain(
    'NIT: Not specifiedSecond work2026_PWD_9_1',
  );
  expect((await overviewOf({ demonstration: true })).at(-1)).toContain(
    'Demonstration: a sample tender, not real dates. The portal does not have it.Fetched',
  );
  expect((await overviewOf({ source_portal: 'mahatenders' })).at(-1)).toMatch(
    /^Source: mahatenders · 2026_PWD_100001_1At the portal: search the tender ID there\./,
  );
});

test('the bidding details have the dates, the fees, the conditions and the offices', async () => {
  const tender = testTenderDetail({
    ...{ bid_start_date: '2026-04-11T04:30:00.000Z', opening_date: '2026-04-16T06:30:00.000Z', covers: 2 },
    ...{ tender_fee: '350.00', emd_exemption_allowed: false, pre_bid_date: '2026-04-14T05:30:00.000Z' },
    ...{ pre_bid_place: 'Office of the EE', bid_opening_place: 'Rampur', contact_designation: 'Executive Engineer' },
  });
  const { page } = await openTestPage(<Bidding tender={tender} now={NOW} />);
  const NEEDED = 'token, registration in the required class, and GST registration. Bids are submitted at';
  const facts = factsOf(page);
  expect(facts.slice(0, -1)).toEqual([
    "Bid submission ends: Wed 15 Apr, 11:00 AMThe portal's clock decides. Submit a day early.",
    ...['Bid submission starts: 11 Apr, 10:00 AM', 'Bid opening: 16 Apr, 12:00 PM'],
    ...['Covers: 2 (technical, finance)', 'Tender fee: ₹350.00', 'EMD: ₹23,500.00', 'EMD exemption: Not allowed'],
    ...['Pre-bid meeting: Tue 14 Apr, 11:00 AM, Office of the EE'],
    ...['Opening place: Rampur', 'Contact: Executive Engineer'],
  ]);
  expect(facts.at(-1)).toContain(`${NEEDED} hptenders.gov.in, never here.`);
  const unknown = testTenderDetail({ emd: null, source_portal: 'mahatenders' });
  const bare = factsOf((await openTestPage(<Bidding tender={unknown} now={NOW} />)).page);
  expect(bare.slice(1, -1)).toEqual(
    [
      ...['Bid submission starts', 'Bid opening', 'Covers', 'Tender fee', 'EMD', 'EMD exemption'],
      ...['Opening place', 'Contact'],
    ].map((name) => `${name}: Not specified`),
  );
  expect(bare.at(-1)).toContain(`${NEEDED} the portal, never here.`);
});

test('the changes are listed newest first, each with its values or the reason why it has none', async () => {
  const corrigenda: Tender['corrigenda'] = [
    {
      ...{ title: 'Extension', type: 'Date', noticed_at: '2026-04-11T05:30:00.000Z' },
      changes: [
        { field: 'closing_date', old: '2026-04-15T05:30:00.000Z', new: '2026-04-20T05:30:00.000Z' },
        { field: 'price', old: null, new: '1175000' },
        { field: 'documents', old: 'BOQ.xls', new: null },
      ],
    },
    { title: 'Drawing', type: null, noticed_at: '2026-04-12T05:30:00.000Z', changes: [] },
    { title: 'Revoked', type: 'Evaluation revoked', noticed_at: '2026-04-10T05:30:00.000Z', changes: [] },
    { title: 'Dates', type: 'Noticed by Nivida', noticed_at: '2026-04-09T05:30:00.000Z', changes: [] },
  ];
  const { texts } = await openTestPage(<CorrigendumList corrigenda={corrigenda} now={NOW} />);
  expect(texts('h3')).toEqual([
    'Drawing',
    'Extension · Date',
    'Revoked · Evaluation revoked',
    'Dates · Noticed by Nivida',
  ]);
  expect(texts('li p')).toEqual([
    ...['Seen Sun 12 Apr, 11:00 AM', 'Previous value not published', 'Seen Sat 11 Apr, 11:00 AM'],
    ...['Seen Fri 10 Apr, 11:00 AM', 'The portal took back a step of its evaluation. That does not cancel the tender.'],
    ...['Seen Thu 9 Apr, 11:00 AM', 'The portal’s dates contradict each other. Check them at the portal.'],
  ]);
  expect(texts('dl > div')).toEqual([
    'Closing dateWed 15 Apr, 11:00 AM → Mon 20 Apr, 11:00 AM',
    'Estimated valueNot specified → ₹11.75 Lakh',
    'DocumentsBOQ.xls → Not specified',
  ]);
  expect((await openTestPage(<CorrigendumList corrigenda={[]} now={NOW} />)).text()).toBe('');
});

test('the head of a tender has its status, title and main facts, and leads back', async () => {
  let backs = 0;
  const headOf = (fields: Partial<Tender>) =>
    openTestPage(
      <TenderKeyFacts
        {...{ tender: testTenderDetail(fields), now: NOW, backLabel: 'Back to results', onBack: () => void backs++ }}
      />,
    );
  const head = await headOf({
    ...{ title: 'C/o road', tender_fee: '350.00', opening_date: '2026-04-16T06:30:00.000Z', place: 'Kandaghat' },
  });
  expect(head.texts('h1')).toEqual(['C/o road']);
  expect(head.text()).toContain('C/o construction of');
  expect(head.page.querySelector('h1 button')?.getAttribute('popovertarget')).toBe(
    head.page.querySelector('[popover]')?.id,
  );
  expect(head.text()).toMatch(/^ActivePWD · Kandaghat, Solan2026_PWD_100001_1Back to results/);
  expect(factsOf(head.page)).toEqual([
    ...['Estimated value: ₹11.75 Lakh', 'EMD: ₹23,500.00', 'Tender fee: ₹350.00', 'Bid opening: 16 Apr, 12:00 PM'],
  ]);
  await head.press('Back to results');
  expect(backs).toBe(1);
  const other = await headOf({ stage: 'cancelled', demonstration: true, district: null, price: null });
  expect(other.text()).toMatch(/^CancelledDemonstrationPWD · Himachal Pradesh2026/);
  expect(factsOf(other.page)[0]).toBe('Estimated value: ₹0 (estimate not published)');
});

test.each<[Partial<Tender>, 'list' | 'page', string, string, string[]]>([
  [{}, 'page', 'red', '2 days left · 11:00 AM', []],
  [{ closing_date: '2026-04-19T05:30:00.000Z' }, 'page', 'red', '6 days left · 11:00 AM', []],
  [{ closing_date: '2026-04-19T05:30:00.000Z' }, 'list', 'amber', '6 days left · 11:00 AM', []],
  [
    { fetched_at: '2026-04-12T22:30:00.000Z' },
    'page',
    'red',
    '2 days left · 11:00 AM',
    ['Checked 7 h ago: the date may have changed.'],
  ],
])('the closing of %j on a %s is %s: %s, %j', async (fields, scale, tone, label, notes) => {
  const tender = testTenderDetail({ fetched_at: NOW.toISOString(), ...fields });
  const { page, texts } = await openTestPage(<ClosingPanel tender={tender} now={NOW} scale={scale} />);
  expect(page.querySelector('p')?.getAttribute('data-tone')).toBe(tone);
  expect(page.querySelector('p')?.getAttribute('data-closes')).toBe(
    `${tender.closing_date} time ${scale === 'page' ? 'page' : 'card'}`,
  );
  expect(texts('p').slice(0, -1)).toEqual([label, ...notes]);
  expect(texts('p').at(-1)).toMatch(/^Published 10 Apr 2026\w{3} 1[59] Apr, 11:00 AM$/);
});

const PRICE = 'Official documents are free at the portal. ₹99 pays for';
test.each<[DocumentsAvailability, string | null, string | null]>([
  ['owned', 'Your documents', 'Your documents'],
  ['sold', 'Download documents · ₹99', 'Download ₹99'],
  ['ask', 'Ask for the documents', 'Ask for the documents'],
  ['asked', 'You have asked', 'You have asked'],
  ['demonstration', null, null],
  ['closed', null, null],
])('documents that are %s have the button “%s”, in the bar of a phone “%s”', async (way, label, short) => {
  let presses = 0;
  const props = { documents: { way, note: 'The note' }, actions: 'Bookmark', onDocuments: () => void presses++ };
  for (const [Part, name] of [
    [DownloadPanel, label],
    [DownloadBar, short],
  ] as const) {
    presses = 0;
    const { page, names, press, text } = await openTestPage(<Part {...props} />);
    expect(names()).toEqual(name === null ? [] : [name]);
    if (name !== null) await press(name);
    expect(presses).toBe(way === 'asked' || name === null ? 0 : 1);
    const opensDialog = page.querySelector('[aria-haspopup="dialog"]') !== null;
    expect(opensDialog).toBe(way === 'owned' || way === 'sold');
    expect(text()).toContain('Bookmark');
    const hasPrice = Part === DownloadPanel && way === 'sold';
    expect([text().includes(PRICE), text().includes('The note')]).toEqual([hasPrice, !hasPrice]);
  }
});

/** The documents of a tender with the package that can be bought. */
const openDocuments = (fields: Partial<Tender>, way: DocumentsAvailability) =>
  openTestPage(<Documents tender={testTenderDetail(fields)} action={{ way, note: 'No documents are sold.' }} />);
const LISTED: Partial<Tender> = {
  documents: [
    { cover: 'Finance', type: '.xls', name: 'BOQ rates' },
    { cover: 'biddingDocuments', type: '', name: 'Tendernotice_1.pdf' },
  ],
};
const UNKNOWN = "The portal's list of documents is not known.";

test('the documents are the package, those to upload and those of the portal', async () => {
  const { text, texts, page } = await openDocuments(
    { ...LISTED, nit_works: 3, document_package: { kind: 'nit', works: 2 } },
    'sold',
  );
  expect(texts('li')).toEqual([
    'NITCovers 2 of the 3 works of this NIT, this one included · ₹99',
    'BOQ ratesFinance · .xls',
    'Tendernotice_1.pdfbiddingDocuments',
  ]);
  expect(
    [...page.querySelectorAll('section')].map((part) => [
      wordsOf(part.querySelector('h2')),
      wordsOf(part.querySelector('li')),
    ]),
  ).toEqual([
    ['What you must upload', 'BOQ ratesFinance · .xls'],
    ['What the portal lists', 'Tendernotice_1.pdfbiddingDocuments'],
  ]);
  expect(linksOf(page)).toEqual(['Tick them off in the checklist: /#checklist']);
  expect(text()).toContain(PRICE);
  for (const absent of ['We have no package', 'No documents are sold', UNKNOWN]) expect(text()).not.toContain(absent);
});

test('a closed tender has no price, and one without a package leads to the portal', async () => {
  const closed = await openDocuments({ document_package: { kind: 'nit-boq', works: 1 } }, 'closed');
  expect(closed.texts('li')).toEqual(['NIT & BOQThe document package']);
  expect(closed.text()).toContain(UNKNOWN);
  const none = await openDocuments({}, 'ask');
  expect(none.texts('p')).toEqual([
    'The official documents are free at hptenders.gov.in, under 2026_PWD_100001_1. We have no package of them.',
    UNKNOWN,
  ]);
  expect(none.texts('h2')).toEqual([]);
});

test('a demonstration has the contents of its package without a price, and says that nothing is sold', async () => {
  const { texts } = await openDocuments({ ...LISTED, source_portal: 'demo' }, 'demonstration');
  expect(texts('li')[0]).toBe('NIT & BOQThe document package');
  expect(texts('p')).toEqual([
    'Your own documents, by cover. They are not part of any package.',
    'Tick them off in the checklist',
    'No documents are sold.',
  ]);
  expect((await openDocuments(LISTED, 'demonstration')).text()).not.toContain('We have no package');
});

test('a tender that cannot be loaded says so, and leads back or is loaded again', async () => {
  let backs = 0;
  let retries = 0;
  const props = { error: new Error('broken'), onBack: () => void backs++, onRetry: () => void retries++ };
  const failed = await openTestPage(<TenderError {...props} />);
  expect(failed.texts('h1')).toEqual(['Error Loading Tender']);
  expect(failed.text()).toContain('Failed to load tender details. Please try again.');
  expect(failed.page.querySelector('[role="alert"]')).not.toBeNull();
  await failed.press('Go Back');
  await failed.press('Try Again');
  expect([backs, retries]).toEqual([1, 1]);
  expect(linksOf((await openTestPage(<TenderNotFound />)).page)).toEqual(['Browse Tenders: /dashboard/tenders']);
});

/** The header of a tender on a phone, opened from a list or by its address. */
async function openHeader(id: string, fields: Partial<Tender>, isFromList: boolean) {
  vi.stubGlobal('fetch', async () => Response.json({ tender: testTenderDetail({ _id: id, ...fields }) }));
  const opened = await openTestPage(
    <Routes>
      <Route path="/tenders/:id" element={<TenderPageHeader />} />
      <Route path="/tenders/results" element="The list" />
      <Route path="/tenders" element="The search" />
    </Routes>,
    '/tenders/results',
  );
  const state = isFromList ? { fromList: true } : null;
  await act(async () => opened.router.navigate(`/tenders/${id}`, { state }));
  await expect.poll(() => opened.page.querySelector('b')).not.toBeNull();
  return opened;
}

test.each([
  ['from a list', true, 'Back to results', 'The list'],
  ['by its address', false, 'Back to search', 'The search'],
])(
  'the header of a tender that was opened %s has its id and age, and leads back',
  async (_how, isFromList, label, back) => {
    const fetched_at = new Date(Date.now() - 2 * 3_600_000 - 1_000).toISOString();
    const id = isFromList ? '801' : '802';
    const header = await openHeader(id, { fetched_at, source_tender_id: '2026_PWD_12345678_10' }, isFromList);
    const { page, texts, text } = header;
    expect(texts('button > span > *')).toEqual([label, '2026_PWD_12345678_10', 'Checked 2 h ago · hptenders']);
    expect(page.querySelector('b')?.hasAttribute('data-long')).toBe(false);
    await act(async () => page.querySelector('button')?.click());
    await expect.poll(text).toBe(back);
  },
);

test('a tender id of more than twenty letters is written smaller', async () => {
  const { page } = await openHeader('803', { source_tender_id: '2026_PWD_123456789_10' }, false);
  expect(page.querySelector('b')?.hasAttribute('data-long')).toBe(true);
});
