// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import type { DocumentOfferResponse } from '@nivida/contract/orders/documents';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { writeSetting } from '../../data/device/settings.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { DocumentDialog } from './DocumentDialog.tsx';
import { DownloadButton, OrderDownloadButton } from './DownloadButton.tsx';
import { RequestDialog } from './RequestDialog.tsx';

afterEach(async () => {
  await closeTestPages();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const OFFER: DocumentOfferResponse = {
  isReady: true,
  files: ['NIT.pdf', 'BOQ.xls'],
  bytes: 1_800_000,
  isOwned: false,
  orderId: null,
  planDownloads: null,
  isDemonstration: false,
  contents: { kind: 'nit', works: 1 },
  isOpen: true,
};

/** Each tender has an offer of its own: answers are cached for the whole app. */
let lastTender = 100;
let calls: string[] = [];

/** Opens the dialog of a new tender; `answers` are the server's, the last one for all further calls. */
async function openDialog(answers: (() => Response | Promise<Response>)[], tender: Partial<Tender> = {}) {
  calls = [];
  vi.stubGlobal('fetch', async ({ method, url }: Request) => {
    calls.push(`${method} ${new URL(url).pathname}`);
    return (answers.length > 1 ? answers.shift() : answers[0])?.();
  });
  const events: string[] = [];
  const dialog = await openTestPage(
    <DocumentDialog
      tender={testTenderDetail({ _id: String(++lastTender), source_tender_id: '2026_PWD_1_1', ...tender })}
      portal="hptenders.gov.in"
      renderCheckout={(waitsFor, name) => <p className="checkout">{`${name}: ${waitsFor ?? 'pay'}`}</p>}
      onAsk={() => events.push('ask')}
      onClose={() => events.push('close')}
    />,
  );
  const { page, texts } = dialog;
  return {
    ...dialog,
    events,
    offered: () => expect.poll(() => page.querySelector('[aria-busy="true"]')).toBeNull(),
    head: () => texts('.num')[0] && texts('p.muted')[0],
    checkout: () => texts('.checkout'),
    alerts: () => texts('[role="alert"]'),
  };
}
const offer = (changes: Partial<DocumentOfferResponse> = {}) => [() => Response.json({ ...OFFER, ...changes })];

describe('the dialog of a package', () => {
  test('shows its kind, its files and its size before the payment form', async () => {
    const { page, text, offered, head, texts, checkout } = await openDialog(offer());
    await offered();
    expect(calls).toEqual([`GET /api/tenders/${lastTender}/documents`]);
    expect(head()).toBe('2026_PWD_1_1 · NIT');
    expect(texts('summary')).toEqual(['In the package: 2 files1.8 MB']);
    expect(texts('details li')).toEqual(['NIT.pdf', 'BOQ.xls']);
    expect(page.querySelector('details')?.open).toBe(true);
    expect(checkout()).toEqual(['NIT: pay']);
    expect(text()).not.toContain('Sample files only');
  });

  test('folds the list of more than five files, counts one file in the singular, and names samples', async () => {
    const five = await openDialog(offer({ files: ['1', '2', '3', '4', '5'] }));
    await five.offered();
    expect(five.page.querySelector('details')?.open).toBe(true);
    await five.close();
    const six = await openDialog(offer({ files: ['1', '2', '3', '4', '5', '6'], isDemonstration: true }));
    await six.offered();
    expect(six.page.querySelector('details')?.open).toBe(false);
    expect(six.text()).toContain('Sample files only, no tender documents.');
    await six.close();
    const one = await openDialog(offer({ files: ['NIT.pdf'], bytes: null }));
    await one.offered();
    expect(one.texts('summary')).toEqual(['In the package: 1 file']);
  });

  test.each([
    [1, 1, '2026_PWD_1_1 · NIT & BOQ'],
    [2, 3, '2026_PWD_1_1 · NIT & BOQ, 2 of the 3 works of this NIT'],
    [3, 3, '2026_PWD_1_1 · NIT & BOQ, all 3 works of this NIT'],
  ])('of %i of %i works says so', async (works, nit_works, expected) => {
    const { head, offered } = await openDialog(offer({ contents: { kind: 'nit-boq', works } }), { nit_works });
    await offered();
    expect(head()).toBe(expected);
  });

  test('shows what the phone knows of the package while the server is asked, and pays nothing before its answer', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const tender = { document_package: { kind: 'nit-boq', works: 1 } } as const;
    const { texts, head, checkout, offered } = await openDialog([() => promise], tender);
    expect(texts('[aria-busy="true"]')[0]).toContain('Checking the package');
    expect([head(), checkout()]).toEqual(['2026_PWD_1_1 · NIT & BOQ', ['NIT & BOQ: Checking the package…']]);
    resolve(Response.json(OFFER));
    await offered();
    expect([head(), checkout()]).toEqual(['2026_PWD_1_1 · NIT', ['NIT: pay']]);
  });

  test('that could not be checked says why, and is checked again', async () => {
    const { alerts, checkout, press, offered } = await openDialog([
      () => Response.json({ message: 'The file store does not answer' }, { status: 500 }),
      () => Response.json(OFFER),
    ]);
    await expect.poll(alerts).toEqual([expect.stringContaining('The file store does not answer')]);
    expect(checkout()).toEqual(['NIT & BOQ: The package could not be checked yet.']);
    await press('Try Again');
    await offered();
    expect(alerts()).toEqual([]);
    expect(checkout()).toEqual(['NIT: pay']);
  });

  test('without a connection says that nothing is paid later', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const { text, hasButton } = await openDialog([
      () => {
        throw new TypeError('Failed to fetch');
      },
    ]);
    await expect
      .poll(text)
      .toContain(
        'You are offline. What is in the package can be seen with a connection; nothing is sent or paid later',
      );
    expect(hasButton('Try Again')).toBe(false);
  });

  test('that is not there yet is asked for, and its documents are named at the portal', async () => {
    const { text, press, events, offered, checkout, head } = await openDialog(
      offer({ isReady: false, contents: null }),
    );
    await offered();
    await expect.poll(text).toContain('Documents are not available yet');
    expect(text()).toContain('The official documents are free at hptenders.gov.in, under 2026_PWD_1_1.');
    expect([head(), checkout()]).toEqual(['2026_PWD_1_1', []]);
    await press('Ask for the documents');
    await press('Close');
    expect(events).toEqual(['ask', 'close']);
  });

  test('of a closed tender is not sold', async () => {
    const { text, offered, checkout } = await openDialog(offer({ isOpen: false }));
    await offered();
    expect(text()).toContain('This tender has closed. Its documents are not sold.');
    expect(checkout()).toEqual([]);
  });

  test('of its owner is downloaded again without a payment', async () => {
    signInForTest('7');
    const { text, offered, hasButton, checkout, events, press } = await openDialog(
      offer({ isOwned: true, planDownloads: { left: 3, perMonth: 10 } }),
    );
    await offered();
    expect(text()).toContain('These documents are yours. Download them as often as you like');
    expect(hasButton('Download again')).toBe(true);
    expect(checkout()).toEqual([]);
    await press('Close');
    expect(events).toEqual(['close']);
  });

  test('in a plan is downloaded with it; a plan whose downloads are used up is named beside the payment', async () => {
    signInForTest('7');
    const left = await openDialog(offer({ planDownloads: { left: 3, perMonth: 10 } }));
    await left.offered();
    expect(left.text()).toContain('Included in your plan. The same NIT again this month is not counted twice.');
    expect(left.hasButton('Download with your plan (3 of 10 left this month)')).toBe(true);
    expect(left.text()).not.toContain('They reset on the 1st');
    expect(left.checkout()).toEqual([]);
    await left.close();
    const spent = await openDialog(offer({ planDownloads: { left: 0, perMonth: 10 } }));
    await spent.offered();
    expect(spent.text()).toContain("You have used your plan's downloads of this month. They reset on the 1st.");
    expect(spent.checkout()).toEqual(['NIT: pay']);
  });

  test('of one user is never shown to the next one', async () => {
    signInForTest('7');
    const { text, offered } = await openDialog([
      () => Response.json({ ...OFFER, isOwned: true }),
      () => Response.json(OFFER),
    ]);
    await offered();
    expect(text()).toContain('These documents are yours');
    await act(async () => signInForTest('8'));
    await expect.poll(text).toContain('NIT: pay');
    expect(text()).not.toContain('These documents are yours');
    expect(calls).toHaveLength(2);
  });
});

describe('a download', () => {
  const answerWith = (...answers: Response[]) => {
    calls = [];
    vi.stubGlobal('fetch', async ({ method, url }: Request) => {
      calls.push(`${method} ${new URL(url).pathname}`);
      return answers.shift();
    });
    const opened: string[] = [];
    vi.spyOn(location, 'assign').mockImplementation((address) => void opened.push(String(address)));
    return opened;
  };
  const link = () => Response.json({ url: 'https://nivida.example/d/token', expiresAt: '2026-11-08T00:00:00Z' });

  test.each([
    ['of a tender', <DownloadButton tenderId="7" label="Download" key="tender" />, 'POST /api/tenders/7/documents'],
    ['of an order', <OrderDownloadButton orderId="abc" key="order" />, 'POST /api/orders/abc/documents'],
  ])('%s opens the page of its link on this site', async (_what, element, call) => {
    signInForTest('7');
    const opened = answerWith(link());
    const { press } = await openTestPage(element);
    await press('Download');
    await expect.poll(() => opened).toEqual(['/d/token']);
    expect(calls).toEqual([call]);
  });

  test('that the server refuses says why', async () => {
    signInForTest('7');
    const message = 'You have reached today’s limit. Please continue tomorrow';
    const opened = answerWith(Response.json({ code: 'FORBIDDEN', message }, { status: 403 }));
    const { texts, press } = await openTestPage(<DownloadButton tenderId="7" label="Download" />);
    await press('Download');
    await expect.poll(() => texts('[role="alert"]')).toEqual([message]);
    expect(opened).toEqual([]);
  });

  test('waits for a connection', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const { text, button } = await openTestPage(<DownloadButton tenderId="7" label="Download again" />);
    expect(button('Download again').disabled).toBe(true);
    expect(text()).toContain('You are offline');
  });
});

describe('the request of a visitor', () => {
  async function openRequest() {
    const events: string[] = [];
    const dialog = await openTestPage(
      <RequestDialog onAsk={(email) => events.push(email)} onClose={() => events.push('close')} />,
    );
    return { ...dialog, events, email: () => dialog.field('Email').value, error: () => dialog.errorAt('Email') };
  }

  test('needs an e-mail address, which is in the form at the next request', async () => {
    const first = await openRequest();
    expect(first.email()).toBe('');
    await first.press('Ask');
    expect(first.error()).toBe('Email is required');
    await first.enter('Email', 'asha');
    expect(first.error()).toBeUndefined();
    await first.press('Ask');
    expect(first.error()).toBe('Please enter a valid email address');
    expect(first.events).toEqual([]);
    await first.enter('Email', 'Asha@Works.Example');
    await first.press('Ask');
    await expect.poll(() => first.events).toEqual(['Asha@works.example']);
    await first.close();
    await writeSetting('e-mail for document requests', 'ravi@works.example');
    const second = await openRequest();
    await expect.poll(second.email).toBe('ravi@works.example');
    await second.press('Ask');
    await expect.poll(() => second.events).toEqual(['ravi@works.example']);
  });

  test('is cancelled', async () => {
    const { press, events } = await openRequest();
    await press('Cancel');
    expect(events).toEqual(['close']);
  });
});
