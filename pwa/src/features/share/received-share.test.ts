import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { describe, expect, test } from 'vitest';
import { nextPageForSourceId } from './page-for-source-id.ts';
import { pageForShare, parseReceivedShare } from './received-share.ts';

const page = (message: Record<string, string>, host = 'nivida.example') =>
  pageForShare(parseReceivedShare(new URLSearchParams(message), host));

const CARD = [
  '2026_PWD_100001_1',
  'Metalling of a village road',
  'Closing: 15 Apr 2026, 11:00 AM',
  'https://nivida.example/tenders/1234',
].join('\n');

describe('a share from another app', () => {
  test.each<[string, Record<string, string>, string]>([
    ['our own card opens the tender of its link', { text: CARD }, '/tenders/1234'],
    ['a link as address', { url: 'https://nivida.example/tenders/17' }, '/tenders/17'],
    ['a link within a text', { text: 'See https://nivida.example/tenders/17, closing today' }, '/tenders/17'],
    ['a link as title', { title: 'https://nivida.example/tenders/17' }, '/tenders/17'],
    ['a link with a tab', { text: 'https://nivida.example/tenders/17#documents' }, '/tenders/17'],
    ['a link with a query', { text: 'https://nivida.example/tenders/17?src=wa' }, '/tenders/17'],
    ['a link at the end of a sentence', { text: 'Look: https://nivida.example/tenders/17.' }, '/tenders/17'],
    ['a link without https', { text: 'NIVIDA.example/tenders/17' }, '/tenders/17'],
    ['a link wins over an id', { title: '2026_PWD_9_9', url: 'http://nivida.example/tenders/17' }, '/tenders/17'],
    ['an id alone', { text: '2025_PWD_109746_1' }, '/tenders/results?q=2025_PWD_109746_1'],
    ['an id as title', { title: 'Tender 2025_HPSEB_1_12' }, '/tenders/results?q=2025_HPSEB_1_12'],
    [
      'an id of another portal',
      { text: 'Bid GEM/2026/B/7654321 closes today' },
      '/tenders/results?q=GEM%2F2026%2FB%2F7654321',
    ],
    ['an id in a message', { text: 'Pls check (2025_MC_77_3) asap' }, '/tenders/results?q=2025_MC_77_3'],
    ['an id in bold', { text: '*2025_MC_77_3*' }, '/tenders/results?q=2025_MC_77_3'],
    ['an id in italics', { text: '_2025_MC_77_3_' }, '/tenders/results?q=2025_MC_77_3'],
    ['an id in Hindi text', { text: 'निविदा2025_MC_77_3की' }, '/tenders/results?q=2025_MC_77_3'],
    ['two ids are a list', { text: '2025_MC_77_3 2025_MC_77_4' }, '/add-tenders'],
    ['two links are a list', { text: 'nivida.example/tenders/17 nivida.example/tenders/18' }, '/add-tenders'],
    ['ids in title and text are a list', { title: '2025_MC_77_3', text: 'and 2025_MC_77_4' }, '/add-tenders'],
    [
      "an id in another site's link",
      { url: 'https://portal.example/view?id=2025_MC_77_3&x=1' },
      '/tenders/results?q=2025_MC_77_3',
    ],
    [
      "another site's link is text",
      { url: 'https://x.example/tenders/17' },
      '/tenders?q=https%3A%2F%2Fx.example%2Ftenders%2F17',
    ],
    [
      'a host that only ends like ours',
      { text: 'evil-nivida.example/tenders/17' },
      '/tenders?q=evil-nivida.example%2Ftenders%2F17',
    ],
    [
      'a host that only begins like ours',
      { text: 'nivida.example.org/tenders/17' },
      '/tenders?q=nivida.example.org%2Ftenders%2F17',
    ],
    ['a list is text', { text: 'nivida.example/tenders/results' }, '/tenders?q=nivida.example%2Ftenders%2Fresults'],
    ['an id that is none', { text: 'nivida.example/tenders/17abc' }, '/tenders?q=nivida.example%2Ftenders%2F17abc'],
    ['half an id', { text: '2025_PWD_109746' }, '/tenders?q=2025_PWD_109746'],
    ['a longer number', { text: '12025_PWD_109746_1' }, '/tenders?q=12025_PWD_109746_1'],
    ['text', { text: 'bailey bridge' }, '/tenders?q=bailey+bridge'],
    ['text over lines', { text: ' bailey\r\n\tbridge\u0007 ' }, '/tenders?q=bailey+bridge'],
    ['the title when there is no text', { title: 'bailey bridge', text: ' ' }, '/tenders?q=bailey+bridge'],
    ['a long message is cut to what can be searched', { text: 'x'.repeat(500) }, `/tenders?q=${'x'.repeat(100)}`],
    ['nothing', {}, '/tenders'],
    ['empty parts', { title: '', text: '', url: '' }, '/tenders'],
  ])('%s', (_name, message, expected) => {
    expect(page(message)).toBe(expected);
  });

  test('a host with a port is compared with its port', () => {
    expect(page({ text: 'http://localhost:3000/tenders/5' }, 'localhost:3000')).toBe('/tenders/5');
    expect(page({ text: 'http://localhost:30001/tenders/5' }, 'localhost:3000')).toBe(
      '/tenders?q=http%3A%2F%2Flocalhost%3A30001%2Ftenders%2F5',
    );
  });
});

describe('the search for a received id', () => {
  const found = (...ids: [string, string][]) =>
    ids.map(([_id, source_tender_id]) => ({ _id, source_tender_id })) as TenderSummary[];

  test('the one tender with this id is opened', () => {
    expect(nextPageForSourceId('2025_MC_77_3', true, found(['5', '2025_MC_77_3']))).toBe('/tenders/5');
    expect(nextPageForSourceId('2025_mc_77_3', false, found(['5', '2025_MC_77_3']))).toBe('/tenders/5');
  });

  test('tenders that only mention it do not count', () => {
    expect(nextPageForSourceId('2025_MC_77_3', true, found(['4', '2025_MC_77_30'], ['5', '2025_MC_77_3']))).toBe(
      '/tenders/5',
    );
  });

  test('two portals with the same id leave the list', () => {
    expect(nextPageForSourceId('2025_MC_77_3', true, found(['5', '2025_MC_77_3'], ['6', '2025_MC_77_3']))).toBe(null);
  });

  test('when no open tender has it the closed ones are searched, and then the search stays as it is', () => {
    expect(nextPageForSourceId('2025_MC_77_3', true, [])).toBe('/tenders/results?q=2025_MC_77_3&open=0');
    expect(nextPageForSourceId('2025_MC_77_3', true, found(['4', '2025_MC_77_2']))).toBe(
      '/tenders/results?q=2025_MC_77_3&open=0',
    );
    expect(nextPageForSourceId('2025_MC_77_3', false, [])).toBe('/tenders/results?q=2025_MC_77_3');
    expect(nextPageForSourceId('2025_MC_77_3', true, [], 'Goa')).toBe(
      '/tenders/results?state=Goa&q=2025_MC_77_3&open=0',
    );
  });
});
