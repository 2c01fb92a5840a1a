import { safeParse } from 'valibot';
import { expect, test } from 'vitest';
import { PROFILE_ID, recordIdFor } from './record-ids.ts';
import { fieldsRefusal, RECORD_KINDS, RecordChangesRequest } from './records.ts';

test.each([
  [
    'bid',
    {
      tenderId: '12',
      stage: 'preparing',
      rateKind: 'percent',
      ratePercent: -12.5,
      submittedAt: '2026-04-15T10:00:00.000Z',
    },
  ],
  ['bid', { title: 'Road to Kaza', organisation: 'HPPWD', closingAt: '2026-04-15T10:00:00.000Z', note: null }],
  ['check', { tenderId: '12', kind: 'pan', state: 'ready', documentId: recordIdFor('bidDocument', 'pan') }],
  ['deposit', { kind: 'emd', amountPaise: 5_000_000, mode: 'fdr', paidOn: '2026-04-15', state: 'locked' }],
  [
    'deposit',
    { kind: 'retention', mode: 'bg', claimUntil: '2028-04-15', obligationUntil: '2027-04-15', continues: PROFILE_ID },
  ],
  ['release', { depositId: PROFILE_ID, amountPaise: 1, releasedOn: '2026-04-15' }],
  [
    'letter',
    { bidId: PROFILE_ID, kind: 'rti', language: 'hi', text: 'महोदय', sentOn: '2026-04-15', answerDueOn: '2026-05-15' },
  ],
  [
    'bidDocument',
    { kind: 'pan', files: [{ hash: 'a'.repeat(64), name: 'pan.pdf', type: 'application/pdf', bytes: 10 }] },
  ],
  ['workDone', { name: 'School', valuePaise: 100, completedOn: '2024-03-31' }],
  ['enlistment', { authority: 'hp_pwd', class: 'C', limitPaise: 100, validUntil: '2027-03-31' }],
  ['rate', { tenderId: '12', file: 'a'.repeat(64), row: 14, rate: '110.25', text: 'Earth work', unit: 'cum' }],
  ['rate', { tenderId: '12', file: 'a'.repeat(64), row: 0, percent: '-4.25' }],
  ['profile', { turnover2025: 100, firmNames: ['Asha & Co'], multiplier: 2.5 }],
] as const)('a %s with usual fields is accepted', (kind, fields) => {
  expect(fieldsRefusal(kind, fields)).toBeUndefined();
});

test.each([
  ['bid', { stage: 'sold' }, 'stage: Unknown stage'],
  ['bid', { note: 'x'.repeat(4_001) }, 'note: At most 4000 characters'],
  ['bid', { tenderId: 'abc' }, 'tenderId: tenderId is not a tender id'],
  ['bid', { submittedAt: 'tomorrow' }, 'submittedAt: A time must look like 2026-04-15T10:00:00.000Z'],
  ['deposit', { amountPaise: -1 }, 'amountPaise: An amount must not be negative'],
  ['deposit', { amountPaise: 1.5 }, 'amountPaise: An amount must be in whole paise'],
  ['deposit', { paidOn: '15/04/2026' }, 'paidOn: A day must look like 2026-04-15'],
  [
    'bidDocument',
    { files: [{ hash: 'a', name: '', type: '', bytes: 1 }] },
    'files.0.hash: hash must be a SHA-256 in hexadecimal digits',
  ],
  ['release', { amountPaise: 0.5 }, 'amountPaise: An amount must be in whole paise'],
  ['letter', { kind: 'poem' }, 'kind: Unknown kind of letter'],
  ['letter', { text: 'x'.repeat(8_001) }, 'text: At most 8000 characters'],
  ['profile', { turnover2025: -1 }, 'turnover2025: An amount must not be negative'],
] as const)('a %s with %j is refused', (kind, fields, refusal) => {
  expect(fieldsRefusal(kind, fields)).toBe(refusal);
});

const PDF = { hash: 'a'.repeat(64), name: 'a.pdf', type: 'application/pdf', bytes: 1 };

test.each<[Parameters<typeof fieldsRefusal>[0], string, unknown, unknown]>([
  ['bid', 'tenderId', '1234567890', '12345678901'],
  ['bid', 'tenderId', '12', '12x'],
  ['bid', 'tenderId', '12', ' 12'],
  ['bid', 'note', 'x'.repeat(4_000), 'x'.repeat(4_001)],
  ['bid', 'note', 'Two\nlines', 'a\0b'],
  ['bid', 'note', '😀', '\ud83d'],
  ['bid', 'ratePercent', -100, -100.5],
  ['bid', 'ratePercent', 1_000, 1_001],
  ['bid', 'ratePaise', 100_000_000_000_000, 100_000_000_000_001],
  ['bid', 'rank', 1, 0],
  ['bid', 'rank', 1_000, 1_001],
  ['bid', 'portalBidId', 'x'.repeat(60), 'x'.repeat(61)],
  ['bid', 'closingTimeKnown', false, 'false'],
  ['check', 'documentId', recordIdFor('bidDocument', 'pan'), 'pan'],
  ['check', 'validUntil', '2028-02-29', '2028-2-29'],
  ['bidDocument', 'files', Array(20).fill(PDF), Array(21).fill(PDF)],
  ['bidDocument', 'files', [{ ...PDF, bytes: 10_485_760 }], [{ ...PDF, bytes: 10_485_761 }]],
  ['bidDocument', 'files', [PDF], [{ ...PDF, hash: 'A'.repeat(64) }]],
  ['bidDocument', 'files', [PDF], [{ ...PDF, path: '/etc' }]],
  ['rate', 'rate', '999999999999.9999', '-1'],
  ['rate', 'rate', '0', '1.00001'],
  ['rate', 'percent', '-99.5', '4,2'],
  ['rate', 'row', 0, 1.5],
  ['rate', 'file', 'a'.repeat(64), 'a'.repeat(63)],
  ['rate', 'text', 'x'.repeat(200), 'x'.repeat(201)],
  ['profile', 'turnover2000', 0, -1],
  ['profile', 'multiplier', 10, 10.1],
  ['profile', 'firmNames', Array(20).fill('A'), Array(21).fill('A')],
])('a %s has its limits: %s', (kind, name, valid, invalid) => {
  expect(fieldsRefusal(kind, { [name]: valid })).toBeUndefined();
  expect(fieldsRefusal(kind, { [name]: invalid })).toMatch(new RegExp(`^${name}`));
});

test.each(['turnover1999', 'turnover2100', 'works25'])('a profile has no year %s', (name) => {
  expect(fieldsRefusal('profile', { [name]: 1 })).toMatch(new RegExp(`^${name}`));
});

test.each(RECORD_KINDS)('a %s with an unknown field is refused', (kind) => {
  expect(fieldsRefusal(kind, { price: 1 })).toMatch(/^price: /);
});

test('records that exist once have the same id on each device, and different records have different ids', () => {
  expect(recordIdFor('check', '12', 'pan')).toBe(recordIdFor('check', '12', 'pan'));
  expect(PROFILE_ID).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  const ids = Array.from({ length: 20_000 }, (_, tender) => recordIdFor('check', String(tender), 'pan'));
  expect(new Set([...ids, recordIdFor('bid', '12', 'pan'), recordIdFor('check', '1', '2pan')]).size).toBe(20_002);
});

test.each([
  ['records', { records: Array(50_000).fill({}) }],
  [
    'stamps',
    {
      records: [
        {
          kind: 'bid',
          id: PROFILE_ID,
          fields: {},
          stamps: Object.fromEntries([...Array(50_000).keys()].map((n) => [n, 1])),
        },
      ],
    },
  ],
])('a request with 50,000 wrong %s has one issue, since issues cost more time than the records', (_name, body) => {
  expect(safeParse(RecordChangesRequest, body).issues).toHaveLength(1);
  expect(RecordChangesRequest['~standard'].validate(body)).toMatchObject({ issues: { length: 1 } });
});
