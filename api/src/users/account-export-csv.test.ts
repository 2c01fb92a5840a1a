import type { AccountExportResponse } from '@nivida/contract/account/account-export';
import { expect, test } from 'vitest';
import { accountExportCsv } from './account-export-csv.ts';

test('an account is exported as rows of part, number, field and value, which no spreadsheet reads as a formula', () => {
  const account = {
    exportedAt: '2026-11-10T06:00:00.000Z',
    account: { username: 'Asha "AV" Verma', mobileNo: '+919876543210', states: ['Goa', 'Assam'], maxPrice: null },
    searches: [
      { name: '=HYPERLINK("https://evil.example")', filter: { q: 'road, wall' }, alerts: true },
      { name: 'सड़क', filter: {}, alerts: false },
    ],
    orders: [],
  } as unknown as AccountExportResponse;
  const text = accountExportCsv(account);
  // Excel reads UTF-8 only with this mark.
  expect(text.charCodeAt(0)).toBe(0xfeff);
  expect(text.slice(1).split('\r\n')).toEqual([
    '"part","row","field","value"',
    '"export","1","exportedAt","2026-11-10T06:00:00.000Z"',
    '"account","1","username","Asha ""AV"" Verma"',
    '"account","1","mobileNo","\'+919876543210"',
    '"account","1","states","Goa; Assam"',
    '"account","1","maxPrice",""',
    '"searches","1","name","\'=HYPERLINK(""https://evil.example"")"',
    '"searches","1","filter","{""q"":""road, wall""}"',
    '"searches","1","alerts","true"',
    '"searches","2","name","सड़क"',
    '"searches","2","filter","{}"',
    '"searches","2","alerts","false"',
    '',
  ]);
});
