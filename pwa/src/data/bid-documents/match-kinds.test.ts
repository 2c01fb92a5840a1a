import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { matchBadges, matchKinds } from './match-kinds.ts';

const TECHNICAL = 'Fee/PreQual/Technical';

describe('a line of the list', () => {
  test.each([
    ['Cost of form and Earnest money in shape of FDR', 'emd, tender_fee'],
    ['Attested copy of enlistment in class C', 'enlistment'],
    ['Copy of G.S.T. Number', 'gst_registration'],
    ['I.Tax clearance certificate', 'itr'],
    ['Affidavit that the firm is not black listed', 'not_blacklisted'],
    ['Tender paper cost', 'tender_fee'],
    ['TPC and EMD', 'emd, tender_fee'],
    ['FEE/EM', 'emd, tender_fee'],
    ['NRC', 'no_near_relative'],
    ['License', 'enlistment'],
    ['Trade License', 'other_licence'],
    ['Electrical License of class A', 'electrical_licence'],
    ['Affidavit that all the information furnished with the bid is correct', 'affidavit_correct'],
    ['All the information as per NIT', 'see_tender_document'],
    ['Site visit certificate with geotagged photograph', 'site_visit'],
    ['Bidding Documents', 'tender_document'],
    ['Standard Bid Document', 'tender_document'],
    ['Bid document downloaded from the portal', 'tender_document'],
    ['Signed and stamped copy of complete Bid document', 'tender_document'],
    ['Technical Bid Documents', 'see_tender_document'],
    ['IFB', 'tender_document'],
    ['Letter of Technical Bid', 'tender_form'],
    ['Duly filled Tender forms', 'tender_form'],
    ['GST acknowledgement of upto date filed return', 'gst_return'],
    ['GST registration and acknowledgement of filed return', 'gst_registration, gst_return'],
    ['Electrical Contractors License', 'electrical_licence'],
    ['Other documents as specified in the Bid Data Sheet', 'see_tender_document'],
    ['Work not complete in time will be rescinded and EMD forfeited', ''],
    ['Undertaking and SV certificate', 'site_visit, undertaking'],
    ['Detail of machinery and employee detail', 'key_staff, machinery'],
    ['epayment receipt', 'emd, tender_fee'],
    ['Check list', ''],
    ['Documents to be uploaded as per check list', 'see_tender_document'],
    ['Cancelled check', 'bank_details'],
    ['Estimate', ''],
  ])('"%s" asks for: %s', (line, kinds) => {
    expect(matchKinds(TECHNICAL, line).join(', ')).toBe(kinds);
  });

  test.each([
    ['PAN, GST, License, NRC, Affidavit', 'affidavit_other, enlistment, gst_registration, no_near_relative, pan'],
    ['PAN GST License NRC Affidavit EMD', 'affidavit_other, emd, enlistment, gst_registration, no_near_relative, pan'],
    ['PAN, declaration by bidder, experience certificate', 'experience, pan'],
    ['Work done certificate, PAN, GST and Affidavit', 'affidavit_other, experience, gst_registration, pan'],
    ['GST, PAN, affidavit of not being blacklisted', 'gst_registration, not_blacklisted, pan'],
    ['ITR, PAN No., EPF No., Registration in HPPWD', 'enlistment, epf, itr, pan'],
    ['GSTPANEPF', 'epf, gst_registration, pan'],
    ['PANGSTNRC', 'gst_registration, no_near_relative, pan'],
    ['T.P.C. and N.R.C.', 'no_near_relative, tender_fee'],
    ['BIDCOST_BIDSECURITY', 'emd, tender_fee'],
    ['EMD_PAPERCOST', 'emd, tender_fee'],
    ['TenderNotice', 'tender_document'],
  ])('the list "%s" asks for: %s', (line, kinds) => {
    expect(matchKinds(TECHNICAL, line).join(', ')).toBe(kinds);
  });

  test('in the finance cover is the price bid', () => {
    expect(matchKinds('Finance', 'Schedule of items')).toEqual(['price_bid']);
  });

  test('words that only contain a short name are no document', () => {
    expect(matchKinds(TECHNICAL, 'Expansion by the company')).toEqual([]);
  });

  test('says what form the document must have', () => {
    expect(matchBadges('Fresh affidavit with name of work, in original, attested by notary, if applicable')).toEqual([
      'notary',
      'fresh_with_work_name',
      'original_by_hand',
      'if_applicable',
    ]);
  });
});

test.each([
  ['Affidavit attested by a Notary', 'notary'],
  ['Affidavit before the Magistrate', 'magistrate'],
  ['Affidavit on Non-Judicial paper', 'stamp_paper'],
  ['Affidavit with name of the firm and name of work', 'fresh_with_work_name'],
  ['FDR in physical form', 'original_by_hand'],
  ['Certificate countersigned by the Engineer-in-Charge', 'countersigned_ee'],
  ['Certificate of a Chartered Accountant', 'ca_signed'],
  ['Enlistment up-to-date', 'latest'],
  ['EMD by online mode only', 'online_only'],
  ['GST certificate, if any', 'if_applicable'],
  ['Copy of PAN', ''],
])('"%s" asks for the form: %s', (line, badges) => {
  expect(matchBadges(line).join(', ')).toBe(badges);
});

const LABELS = join(import.meta.dirname, '../../../../../shared/data/papers/dev-labels.json');

interface LabelledNotice {
  lines: { cover: string; description: string; kinds: string[] }[];
}

test.skipIf(!existsSync(LABELS))(
  'of 614 real lines at least 97 % of the kinds are found, and 97 % of those found are right (needs ../shared)',
  () => {
    const notices: LabelledNotice[] = JSON.parse(readFileSync(LABELS, 'utf8'));
    const lines = notices.flatMap((notice) => notice.lines);
    expect(lines).toHaveLength(614);
    let right = 0;
    let found = 0;
    let labelled = 0;
    for (const { cover, description, kinds } of lines) {
      const ids = matchKinds(cover, description);
      found += ids.length;
      labelled += kinds.length;
      right += ids.filter((id) => kinds.includes(id)).length;
    }
    expect(right / found).toBeGreaterThanOrEqual(0.97);
    expect(right / labelled).toBeGreaterThanOrEqual(0.97);
  },
);
