import { expect, test } from 'vitest';
import '../../base/texts.ts';
import { AppError } from '../../base/app-error.ts';
import { downloadErrorPage, downloadOfferPage } from './download-page.ts';
import { type DownloadLink, linkGone } from './links.service.ts';

const offer = (changes: object = {}, ofPackage: object = {}) =>
  downloadOfferPage({
    title: 'Bridge',
    expiresAt: new Date('2026-11-17T12:00:00+05:30'),
    fetches: 0,
    isTest: false,
    language: 'en',
    package: {
      bytes: 2_345_678,
      version: 3,
      createdAt: new Date('2026-11-10T12:00:00+05:30'),
      sha256: 'ab12',
      fileNames: ['NIT.pdf', 'BOQ.xls'],
      isDemonstration: false,
      ...ofPackage,
    },
    ...changes,
  } as DownloadLink);

test.each([
  [1, '1 kB'],
  [1_499, '1 kB'],
  [1_500, '2 kB'],
  [999_999, '1000 kB'],
  [1_000_000, '1.0 MB'],
  [2_345_678, '2.3 MB'],
])('a package of %i bytes is offered as %s', (bytes, text) => {
  expect(offer({}, { bytes })).toContain(`<button>Download (${text})</button>`);
});

test.each([
  [0, 'after 20 more downloads<'],
  [18, 'after 2 more downloads<'],
  [19, 'after 1 more download<'],
])('after %i downloads the page says how many are left', (fetches, text) => {
  expect(offer({ fetches })).toContain(text);
});

test('the page names the version with its instant, the end of the link and the files', () => {
  const page = offer({}, { createdAt: new Date('2026-11-09T23:30:00+05:30') });
  expect(page).toContain('<dt>Version</dt><dd>3, of 9 Nov 2026, 11:30 PM</dd>');
  expect(page).toContain('<dt>Link works until</dt><dd>17 Nov 2026, 12:00 PM, after 20 more downloads</dd>');
  expect(page).toContain('<dt>SHA-256</dt><dd><code>ab12</code></dd>');
  expect(page).toContain('<h1>Bridge</h1>');
  expect(page).toContain('<form method="post">');
  expect(page).toContain('<h2>2 files in one ZIP</h2>\n<ul><li>NIT.pdf</li><li>BOQ.xls</li></ul>');
});

test('demonstration and test payment are named on the page, and only there', () => {
  expect(offer()).not.toMatch(/DEMONSTRATION|Test payment/);
  expect(offer({}, { isDemonstration: true })).toContain('DEMONSTRATION: the tender is not a live one');
  expect(offer({ isTest: true })).toContain('Test payment: no money moved.');
});

test('the page of an ended link says how long links work, and leads to the payments', () => {
  const page = downloadErrorPage(linkGone(), 'en');
  expect(page).toContain('<h1>This link has ended or does not exist</h1>');
  expect(page).toContain(
    '<p>Links work for 7 days and 20 downloads. With an account you get a new one under Payments;',
  );
  expect(page).toContain('<a class="action" href="/dashboard/payments">Open Payments</a>');
  for (const each of [page, offer()]) expect(each).toContain('Official documents are free at the portal');
});

test('titles, names of files and messages are text, never markup', () => {
  const hostile = '<img src=x onerror="alert(1)">';
  const pages = [
    offer({ title: hostile }),
    offer({}, { fileNames: [hostile] }),
    downloadErrorPage(new AppError('NOT_FOUND', () => hostile), 'en'),
  ];
  for (const page of pages) {
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;');
  }
});

test('a buyer who uses the app in Hindi gets the page in Hindi', () => {
  const page = offer({ language: 'hi', fetches: 19, isTest: true }, { isDemonstration: true });
  for (const part of [
    '<html lang="hi-IN">',
    '<title>टेंडर के दस्तावेज़ डाउनलोड करें - Nivida</title>',
    '<header><a href="/hi">',
    '<button>डाउनलोड करें (2.3 MB)</button>',
    '<h2>एक ZIP में 2 फ़ाइलें</h2>',
  ])
    expect(page).toContain(part);
  const text = page.replace(/<style.*?<\/style>|<[^>]*>/gs, ' ');
  expect(
    text.match(/[A-Za-z]{2,}\d*/g)?.filter((word) => !/^(?:Bridge|Nivida|NIT|pdf|BOQ|xls|MB|ZIP|SHA|ab12)$/.test(word)),
  ).toEqual([]);
});

test('the page of an ended link is in the language of the request', () => {
  const page = downloadErrorPage(linkGone(), 'hi');
  expect(page).toContain('<html lang="hi-IN">');
  expect(page).toContain('<h1>यह लिंक ख़त्म हो चुका है या है ही नहीं</h1>');
  expect(page).toContain('<a class="action" href="/hi/dashboard/payments">');
});
