import { inLanguage } from '@nivida/contract/i18n';
import * as fc from 'fast-check';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import '../../src/base/texts.ts';
import { rupeesInWords } from '../../src/invoices/amount-words.ts';
import { splitGst } from '../../src/invoices/gst-split.ts';
import { financialYear } from '../../src/invoices/invoice.ts';
import { InvoicesService } from '../../src/invoices/invoices.service.ts';
import { eraseBuyers } from '../../src/orders/buyer-account.service.ts';
import type { OrderEntity } from '../../src/orders/order.entity.ts';
import { createSession } from '../support/accounts.ts';
import { storeOrder } from '../support/paid-orders.ts';
import { pdfMarkedTexts, pdfProperties, pdfText } from '../support/pdf-text.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T12:00:00+05:30');
// Registered in Himachal Pradesh (02).
const GSTIN = '02ABCDE1234F1Z5';

describe('the tax of a price is exact to the paisa', () => {
  test.each([
    [9_900, 8_390, 755],
    [589_900, 499_916, 44_992],
    [1_089_900, 923_644, 83_128],
    [1_499_900, 1_271_102, 114_399],
  ])('%i paise within one State are %i and twice %i', (total, taxable, half) => {
    expect(splitGst(total, 'Himachal Pradesh', 'Himachal Pradesh')).toEqual({
      taxablePaise: taxable,
      taxes: [
        { name: 'CGST', percent: 9, paise: half },
        { name: 'SGST', percent: 9, paise: half },
      ],
    });
  });

  test('for a buyer in another State the tax is one amount', () => {
    const split = splitGst(9_900, 'Himachal Pradesh', 'Punjab');
    expect(split).toEqual({ taxablePaise: 8_390, taxes: [{ name: 'IGST', percent: 18, paise: 1_510 }] });
  });

  test.each([
    ['Andaman and Nicobar Islands', 'UTGST'],
    ['Chandigarh', 'UTGST'],
    ['Dadra and Nagar Haveli and Daman and Diu', 'UTGST'],
    ['Ladakh', 'UTGST'],
    ['Lakshadweep', 'UTGST'],
    // Union territories with a legislature.
    ['Delhi', 'SGST'],
    ['Puducherry', 'SGST'],
    ['Jammu and Kashmir', 'SGST'],
    ['Punjab', 'SGST'],
  ])('the second half in %s is %s, also for a buyer without a State', (state, name) => {
    for (const buyer of [state, ''])
      expect(splitGst(9_900, state, buyer).taxes.map((tax) => tax.name)).toEqual(['CGST', name]);
  });

  test('the parts of every price are whole paise, add up to it, and are 18 percent within half a paisa each', () => {
    const states = fc.constantFrom('Himachal Pradesh', 'Punjab', 'Chandigarh', '');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 12 }), states, (total, buyer) => {
        const { taxablePaise, taxes } = splitGst(total, 'Himachal Pradesh', buyer);
        expect(taxes.reduce((sum, { paise }) => sum + paise, taxablePaise)).toBe(total);
        expect(taxes.reduce((sum, { percent }) => sum + percent, 0)).toBe(18);
        for (const { paise, percent } of taxes) {
          expect(Number.isInteger(paise) && paise >= 0).toBe(true);
          expect(Math.abs(paise - (total * percent) / 118)).toBeLessThanOrEqual(0.501);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

test.each([
  [1, 'Rupees Zero and One Paise Only'],
  [100, 'Rupees One Only'],
  [9_899, 'Rupees Ninety-Eight and Ninety-Nine Paise Only'],
  [9_900, 'Rupees Ninety-Nine Only'],
  [1_000_00, 'Rupees One Thousand Only'],
  [1_001_00, 'Rupees One Thousand One Only'],
  [5_899_00, 'Rupees Five Thousand Eight Hundred Ninety-Nine Only'],
  [10_899_00, 'Rupees Ten Thousand Eight Hundred Ninety-Nine Only'],
  [14_999_00, 'Rupees Fourteen Thousand Nine Hundred Ninety-Nine Only'],
  [20_000_19, 'Rupees Twenty Thousand and Nineteen Paise Only'],
  [1_00_000_00, 'Rupees One Lakh Only'],
  [12_34_567_80, 'Rupees Twelve Lakh Thirty-Four Thousand Five Hundred Sixty-Seven and Eighty Paise Only'],
  [1_00_00_011_00, 'Rupees One Crore Eleven Only'],
  [123_45_00_000_00, 'Rupees One Hundred Twenty-Three Crore Forty-Five Lakh Only'],
])('%i paise are %s', (paise, words) => {
  expect(rupeesInWords(paise)).toBe(words);
});

test('each number under twenty and each ten has its word', () => {
  const words = (count: number) => rupeesInWords(count * 100).replace(/^Rupees | Only$/g, '');
  expect(Array.from({ length: 20 }, (_, count) => words(count)).join(' ')).toBe(
    'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen',
  );
  expect([20, 31, 42, 53, 64, 75, 86, 97].map(words).join(' ')).toBe(
    'Twenty Thirty-One Forty-Two Fifty-Three Sixty-Four Seventy-Five Eighty-Six Ninety-Seven',
  );
});

describe('amounts in Hindi words', () => {
  const hindi = (paise: number) => inLanguage('hi', () => rupeesInWords(paise));

  test.each([
    [1, 'शून्य रुपये और एक पैसे मात्र'],
    [9_899, 'अट्ठानवे रुपये और निन्यानवे पैसे मात्र'],
    [9_900, 'निन्यानवे रुपये मात्र'],
    [5_899_00, 'पाँच हज़ार आठ सौ निन्यानवे रुपये मात्र'],
    [10_899_00, 'दस हज़ार आठ सौ निन्यानवे रुपये मात्र'],
    [12_34_567_80, 'बारह लाख चौंतीस हज़ार पाँच सौ सड़सठ रुपये और अस्सी पैसे मात्र'],
    [123_45_00_000_00, 'एक सौ तेईस करोड़ पैंतालीस लाख रुपये मात्र'],
  ])('%i paise are %s', (paise, words) => {
    expect(hindi(paise)).toBe(words);
  });

  test('each number under a hundred has its own word', () => {
    const words = Array.from({ length: 100 }, (_, count) => hindi(count * 100).replace(' रुपये मात्र', ''));
    expect(new Set(words).size).toBe(100);
    expect([10, 19, 20, 29, 39, 49, 59, 69, 79, 89, 99].map((count) => words[count]).join(' ')).toBe(
      'दस उन्नीस बीस उनतीस उनतालीस उनचास उनसठ उनहत्तर उनासी नवासी निन्यानवे',
    );
  });
});

test.each([
  ['2026-03-31T23:59:59+05:30', '25-26'],
  ['2026-04-01T00:00:00+05:30', '26-27'],
  ['2027-03-31T23:59:59+05:30', '26-27'],
  ['2099-12-31T12:00:00+05:30', '99-00'],
])('%s belongs to the financial year %s', (at, year) => {
  expect(financialYear(new Date(at))).toBe(year);
});

describe('invoices', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ now: NOW });
  });
  afterAll(() => app.close());

  /** Issues an invoice with other settings on the same database. */
  const issuer = (settings: object) =>
    new InvoicesService(app.app.get(DataSource), { ...app.config, gstin: undefined, ...settings });
  const captured = (amountPaise: number) => ({ amountPaise, providerPaymentId: 'T2611101200', method: 'UPI_INTENT' });
  const issue = (order: OrderEntity, settings: object = {}, now = NOW, paidPaise = order.amountPaise) =>
    app.database.dataSource.transaction((manager) =>
      issuer(settings).issueInvoice(manager, order, captured(paidPaise), now),
    );
  const store = (changes: Partial<OrderEntity> = {}) => storeOrder(app.database.dataSource, changes);
  const download = async (order: OrderEntity, name = 'receipt') => {
    const reply = await app.app.inject({ method: 'GET', url: `/api/orders/${order.publicId}/${name}.pdf` });
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toBe('application/pdf');
    expect(reply.headers['content-disposition']).toMatch(/^inline; filename="[A-Z]+-\d\d-\d\d-\d{7}\.pdf"$/);
    expect(reply.headers['cache-control']).toBe('private, no-store');
    return reply.rawPayload;
  };
  const print = async (order: OrderEntity, name = 'receipt') => pdfText(await download(order, name));

  test('a sandbox order gets a number of the TEST series and a receipt that is marked as a test', async () => {
    const order = await store();
    expect(await issue(order)).toEqual({ number: 'TEST/26-27/0000001' });
    const text = await print(order);
    expect(text).toContain('TEST: paid in the sandbox, no money moved');
    expect(text).toContain('TEST/26-27/0000001');
    expect(text).toContain('₹99.00');
    expect(text).toContain('10 Nov 2026');
    expect(text).toMatch(/Tender documents, collecting and delivery:\s+Construction\s+of\s+footbridge/);
    expect(text).toContain('Date of supply: 10 Nov 2026');
    expect(text).toContain(order.publicId);
    expect(text).not.toContain('Original for recipient');
  });

  test('without a GSTIN a real payment gets a receipt, no tax invoice', async () => {
    const order = await store({ live: true, provider: 'phonepe' });
    expect(await issue(order, { legalName: 'Pahari Data LLP' })).toEqual({ number: 'RC/26-27/0000001' });
    const text = await print(order);
    expect(text).toContain('Pahari Data LLP');
    expect(text).toContain('For Pahari Data LLP');
    expect(text).toContain('This is not a tax invoice');
    for (const line of ['Receipt', 'Supplied', 'Amount', 'Total', 'valid without a signature'])
      expect(text).toContain(line);
    expect(text).not.toMatch(/Total, tax included|Taxable value|Not registered|Original for recipient/);
    expect(text).toMatch(/State\s*Himachal Pradesh/);
    expect(text).not.toMatch(/CGST|IGST|GSTIN/);
    expect(text).not.toContain('TEST');
  });

  test.each([
    ['UPI_INTENT', 'UPI'],
    ['upi', 'UPI'],
    ['NET_BANKING', 'Net banking'],
    ['CREDIT_CARD_EMI', 'Credit card emi'],
    [null, 'Not stated by the payment provider'],
  ])('the method %s is shown as "%s"', async (method, text) => {
    const order = await store();
    await app.database.dataSource.transaction((manager) =>
      issuer({}).issueInvoice(manager, order, { ...captured(order.amountPaise), method }, NOW),
    );
    expect(await print(order)).toContain(text);
  });

  test('a tax invoice contains State, code and both halves of the tax', async () => {
    const order = await store({ live: true, provider: 'phonepe', buyerName: 'आशा वर्मा', amountPaise: 589_900 });
    expect(await issue(order, { gstin: GSTIN })).toEqual({ number: 'TN/26-27/0000001' });
    const text = await print(order);
    for (const line of ['Tax invoice', 'Himachal Pradesh (02)', '₹4,999.16', '₹449.92', '₹5,899.00', '998431'])
      expect(text).toContain(line);
    expect(text).toContain('आशा');
  });

  test('a tax invoice to a registered firm contains everything that Rule 46 requires', async () => {
    const { dataSource } = app.database;
    const order = await store({
      live: true,
      provider: 'phonepe',
      product: 'yearly-subscription',
      planId: 'basic',
      amountPaise: 589_900,
      gstin: '03ABCDE1234F1Z3',
      billingState: 'Punjab',
      buyerFirm: 'Verma Builders & Sons',
      buyerAddress: '14 Mall Road, Ludhiana 141001',
    });
    await dataSource.query(
      `INSERT INTO entitlement (order_id, kind, email, plan_id, states, starts_at, ends_at, is_test, created_at)
       VALUES ($1, 'plan', 'a@b.example', 'basic', '{}', $2, $3, false, $2)`,
      [order.id, new Date('2027-01-15T12:00:00+05:30'), new Date('2028-01-15T12:00:00+05:30')],
    );
    const settings = { gstin: GSTIN, legalName: 'Pahari Data LLP', legalAddress: '2 Ridge, Shimla 171001' };
    const { number } = await issue(order, settings);
    const text = await print(order);
    for (const line of [
      'Original for recipient',
      number,
      '10 Nov 2026',
      'Pahari Data LLP',
      '2 Ridge, Shimla 171001',
      GSTIN,
      'Himachal Pradesh (02)',
      'Verma Builders & Sons',
      'Asha Verma',
      '14 Mall Road, Ludhiana 141001',
      '03ABCDE1234F1Z3',
      'Punjab (03)',
      'Basic plan, one year',
      '998431',
      // It begins when an earlier plan ends.
      'Period of service: 15 Jan 2027, 12:00 PM to 15 Jan 2028, 12:00 PM',
      'IGST 18%',
      '₹899.85',
      '₹5,899.00',
      'Rupees Five Thousand Eight Hundred Ninety-Nine Only',
      'UPI',
      'T2611101200',
      '10 Nov 2026, 12:00 PM',
      'no signature is needed',
    ])
      expect(text).toContain(line);
    expect(text).toMatch(/Reverse charge\s*No/);
    expect(text).toContain('Total, tax included');
    expect(text).not.toContain('valid without a signature');
    // Once: the taxable value is not a second line of the invoice.
    expect(text.split('₹4,999.15')).toHaveLength(2);
    expect(text.split('Taxable value')).toHaveLength(2);
    expect(text).not.toMatch(/CGST \d|SGST|TEST/);
  });

  test('the place of supply of a registered buyer is the State of registration', async () => {
    const order = await store({ live: true, provider: 'phonepe', gstin: '03ABCDE1234F1Z3' });
    await issue(order, { gstin: GSTIN });
    const text = await print(order);
    expect(text).toContain('IGST 18%');
    expect(text).toContain('Punjab (03)');
  });

  test('a buyer without a State is taxed in the State of the seller, whose contact data are shown', async () => {
    const order = await store({ live: true, provider: 'phonepe', billingState: '' });
    await issue(order, { gstin: GSTIN, supportEmail: 'help@pahari.example', supportPhone: '+91 177 265 0000' });
    const text = await print(order);
    for (const line of ['CGST 9%', 'SGST 9%', 'help@pahari.example', '+91 177 265 0000', 'Not registered'])
      expect(text).toContain(line);
    expect(text).toMatch(/Place of supply\s*Himachal Pradesh \(02\)/);
  });

  test('the numbers restart on 1 April in India', async () => {
    const settings = { gstin: GSTIN };
    const before = await issue(await store({ live: true }), settings, new Date('2027-03-31T18:29:59Z'));
    const after = await issue(await store({ live: true }), settings, new Date('2027-03-31T18:30:00Z'));
    expect(before.number).toMatch(/^TN\/26-27\//);
    expect(after).toEqual({ number: 'TN/27-28/0000001' });
  });

  test('the number of a transaction that is rolled back is used again, so there are no gaps', async () => {
    const settings = { gstin: GSTIN };
    const year = new Date('2028-05-01T12:00:00+05:30');
    for (let n = 0; n < 12; n++) {
      const order = await store({ live: true });
      const attempt = app.database.dataSource.transaction(async (manager) => {
        await issuer(settings).issueInvoice(manager, order, captured(order.amountPaise), year);
        if (n % 3 === 0) throw new Error('the process dies');
      });
      await attempt.catch(() => {});
    }
    await Promise.all(Array.from({ length: 20 }, async () => issue(await store({ live: true }), settings, year)));
    const rows = await app.database.dataSource.query(
      "SELECT no FROM invoice WHERE series = 'TN' AND financial_year = '28-29' ORDER BY no",
    );
    expect(rows.map(({ no }: { no: number }) => no)).toEqual(Array.from({ length: 28 }, (_, index) => index + 1));
  });

  test('an order gets one receipt', async () => {
    const order = await store();
    await issue(order);
    await expect(issue(order)).rejects.toThrow('duplicate key');
  });

  test('the database rejects changes and removals of invoices', async () => {
    const { dataSource } = app.database;
    await expect(dataSource.query("UPDATE invoice SET content = '{}'")).rejects.toThrow('never changed or removed');
    await expect(dataSource.query('DELETE FROM invoice')).rejects.toThrow('never changed or removed');
  });

  test('a refund gets a credit note that names the invoice', async () => {
    const order = await store({ live: true });
    const { number } = await issue(order, { gstin: GSTIN });
    const credit = await app.database.dataSource.transaction((manager) =>
      issuer({ gstin: GSTIN }).issueCreditNote(manager, order, new Date('2026-11-12T11:30:00+05:30')),
    );
    expect(credit).toEqual({ number: 'CN/26-27/0000001' });
    const { invoices } = await issuer({ gstin: GSTIN }).findByOrder(order.publicId);
    expect(invoices.map(({ kind }) => kind)).toEqual(['invoice', 'credit_note']);
    const text = await print(order, 'credit-note');
    expect(text).toContain('Credit note');
    expect(text).toMatch(/Credit note number\s*CN\/26-27\/0000001/);
    expect(text).toContain('Returned');
    expect(text).toMatch(/Date\s*12 Nov 2026/);
    expect(text).toContain(`${number} of 10 Nov 2026`);
    expect(await print(order)).toContain('Tax invoice');
  });

  test('the refund of a receipt is in the series of receipts, also when the seller has a GSTIN by then', async () => {
    const order = await store({ live: true });
    await issue(order);
    const credit = await app.database.dataSource.transaction((manager) =>
      issuer({ gstin: GSTIN }).issueCreditNote(manager, order, NOW),
    );
    expect(credit?.number).toMatch(/^RF\/26-27\/\d{7}$/);
  });

  test('invoice and credit note have the captured amount when it differs from the price', async () => {
    const order = await store({ live: true });
    await issue(order, { gstin: GSTIN }, NOW, 9_899);
    await app.database.dataSource.transaction((manager) =>
      issuer({ gstin: GSTIN }).issueCreditNote(manager, order, NOW),
    );
    for (const documentName of ['receipt', 'credit-note']) {
      const text = await print(order, documentName);
      for (const line of ['₹83.89', '₹7.55', '₹98.99']) expect(text).toContain(line);
      expect(text).not.toContain('₹99.00');
    }
  });

  test('an order without an invoice gets no credit note', async () => {
    const order = await store();
    const credit = await app.database.dataSource.transaction((manager) =>
      issuer({}).issueCreditNote(manager, order, NOW),
    );
    expect(credit).toBeNull();
  });

  test("an invoice contains the buyer's name and State, but neither e-mail nor mobile number", async () => {
    const order = await store();
    await issue(order);
    const [{ content }] = await app.database.dataSource.query('SELECT content FROM invoice WHERE order_id = $1', [
      order.id,
    ]);
    expect(content.buyer).toEqual({ name: 'Asha Verma', state: 'Himachal Pradesh', gstin: '' });
    expect(JSON.stringify(content)).not.toMatch(/builders\.example|98055/);
  });

  test('the receipt of an erased buyer is shown to no caller, and stays stored', async () => {
    const order = await store({ userId: (await createSession(app)).user._id });
    await issue(order);
    await app.database.dataSource.transaction((manager) => eraseBuyers(manager, [order.userId as string]));
    expect((await app.get(`/api/orders/${order.publicId}/receipt.pdf`)).status).toBe(404);
    const stored = await app.database.dataSource.query('SELECT 1 FROM invoice WHERE order_id = $1', [order.id]);
    expect(stored).toHaveLength(1);
  });

  test('the receipt of a guest is shown to each caller who knows its order, signed in or not', async () => {
    const order = await store();
    const { number } = await issue(order);
    const url = `/api/orders/${order.publicId}/receipt.pdf`;
    for (const headers of [{}, (await createSession(app)).headers]) {
      const { status, headers: answered } = await app.get(url, headers);
      expect([status, answered['content-disposition']]).toEqual([
        200,
        `inline; filename="${number.replaceAll('/', '-')}.pdf"`,
      ]);
    }
  });

  test('a firm with the name of its buyer has no second line for the contact', async () => {
    const firm = { gstin: '03ABCDE1234F1Z3', buyerAddress: 'Ludhiana' };
    const [same, other] = [
      await store({ ...firm, buyerFirm: 'Asha Verma' }),
      await store({ ...firm, buyerFirm: 'Verma & Sons' }),
    ];
    for (const order of [same, other]) await issue(order);
    expect(await print(same)).not.toContain('Contact');
    expect(await print(other)).toMatch(/Contact\s*Asha Verma/);
  });

  test('the receipt of an account is shown to that account only', async () => {
    const owner = await createSession(app);
    const stranger = await createSession(app);
    const order = await store({ userId: owner.user._id });
    await issue(order);
    const url = `/api/orders/${order.publicId}/receipt.pdf`;
    expect((await app.get(url, owner.headers)).status).toBe(200);
    expect((await app.get(url, stranger.headers)).status).toBe(404);
    expect((await app.get(url)).status).toBe(404);
    expect((await app.get(url, { authorization: 'Bearer nothing' })).status).toBe(401);
    expect((await app.get(`/api/orders/${order.publicId}/credit-note.pdf`, owner.headers)).status).toBe(404);
    for (const id of ['AAAAAAAAAAAAAAAAAAAAAA', 'x', '%00'])
      expect((await app.get(`/api/orders/${id}/receipt.pdf`)).json.message).toBe('Receipt not found');
  });

  test('a receipt of a Hindi order has Hindi beside the English heads, and the amount in the words of both', async () => {
    const order = await store({ language: 'hi', live: true, provider: 'phonepe', buyerName: 'आशा वर्मा' });
    await issue(order);
    const text = await print(order);
    for (const line of [
      'Receipt / रसीद',
      'Number / नंबर RC/26-27/',
      'Date / तारीख़ 10 Nov 2026',
      'Buyer / ख़रीदार',
      'State / राज्य Himachal Pradesh',
      'Date of supply / सेवा की तारीख़: 10 Nov 2026',
      'Total / कुल ₹99.00',
      'Rupees Ninety-Nine Only',
    ])
      expect(text).toContain(line);
    const hindi = pdfMarkedTexts(await download(order));
    for (const line of ['विक्रेता', 'आशा वर्मा', 'निन्यानवे रुपये मात्र', 'बिना हस्ताक्षर के मान्य।'])
      expect(hindi.join('\n')).toContain(line);
    const { lang, title } = await pdfProperties(await download(order));
    expect(lang).toBe('en-IN');
    expect(title).toMatch(/^Receipt \/ रसीद RC\/26-27\/\d+$/);
  });

  test('an English receipt is English only, and its title and language say so', async () => {
    const order = await store({ live: true, provider: 'phonepe' });
    await issue(order);
    expect(await print(order)).not.toMatch(/\p{Script=Devanagari}/u);
    const { lang, title } = await pdfProperties(await download(order));
    expect(lang).toBe('en-IN');
    expect(title).toMatch(/^Receipt RC\/26-27\/\d+$/);
  });

  test('a receipt keeps its language, and a refund has it too', async () => {
    const { dataSource } = app.database;
    const order = await store({ language: 'hi', live: true });
    await issue(order, { gstin: GSTIN });
    await dataSource.query("UPDATE orders SET language = 'en' WHERE id = $1", [order.id]);
    await dataSource.transaction((manager) => issuer({ gstin: GSTIN }).issueCreditNote(manager, order, NOW));
    expect(await print(order)).toContain('Tax invoice / टैक्स इनवॉइस');
    expect(pdfMarkedTexts(await download(order, 'credit-note'))).toContain('क्रेडिट नोट');
  });
});
