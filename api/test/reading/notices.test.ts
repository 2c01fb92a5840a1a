/** Notices in many forms. A value that is shown is right; where a form leaves a doubt there is none. */
import type { DocumentFact, FactTopic } from '@nivida/contract/documents/document-facts';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { readPdf } from '../../src/reading/read-pdf.ts';
import { type PdfLine, pdfOf } from '../support/generated-documents/pdf.ts';
import { ligaturePdf, onePage, rawPdf, rawStream } from '../support/generated-documents/raw-pdf.ts';

// pdfjs reports the drawing package that it does without.
beforeAll(() => void vi.spyOn(console, 'warn').mockReturnValue());

const LIMITS = { pages: 400, characters: 3_000_000 };
const row = (...cells: string[]): PdfLine => ({ cells });
const prose = (text: string): PdfLine => ({ cells: [text], gap: 14 });

async function read(...pages: PdfLine[][]) {
  const reading = await readPdf(await pdfOf(pages), LIMITS);
  for (const { page, quote } of reading.facts) expect(reading.texts[page - 1]).toContain(quote);
  return reading;
}

const shownValue = (facts: readonly DocumentFact[], topic: FactTopic) => {
  const value = facts.find((fact) => fact.topic === topic && fact.value !== null)?.value;
  return value ? `${value.amount} ${value.unit}` : null;
};

const FIRST = row('Invented Division: Notice Inviting Tender');

describe('a value is shown where label and value share a row', () => {
  const ROWS: [FactTopic, label: string, text: string, value: string][] = [
    ['emd', 'Earnest Money Deposit', 'Rs. 91,400/-', '91400.00 rupees'],
    ['emd', 'EMD', '₹ 1,25,000.00'.replace('₹', 'INR'), '125000.00 rupees'],
    ['emd', 'Bid Security (in Rs.)', '48,500', '48500.00 rupees'],
    ['emd', 'Earnest Money', 'Rs 2.5 Lakh', '250000.00 rupees'],
    ['emd', 'Earnest Money (EMD)', 'Rs. 12,300/- (Rupees Twelve Thousand Three Hundred only)', '12300.00 rupees'],
    ['fee', 'Cost of tender document', 'Rs. 1,500/-', '1500.00 rupees'],
    ['fee', 'Tender Fee', 'Rs. 590.00', '590.00 rupees'],
    ['estimate', 'Estimated Cost', 'Rs. 45,67,890/-', '4567890.00 rupees'],
    ['estimate', 'Estimated Cost (Rs. in Lakhs)', '45.67', '4567000.00 rupees'],
    ['estimate', 'Amount put to tender', 'Rs. 1.25 Crore', '12500000.00 rupees'],
    ['period', 'Period of completion', '6 (Six) months including rainy season', '6 months'],
    ['period', 'Time allowed for completion', '90 days', '90 days'],
    ['period', 'Completion period (in months)', '11', '11 months'],
    ['fee', 'Cost of Form', 'Rs. 1000/- (Non refundable)', '1000.00 rupees'],
    ['fee', 'Tender Fee', 'Rs.590/-(inclusive of GST @18%)', '590.00 rupees'],
    ['period', 'Time Limit', 'Six Months', '6 months'],
    ['period', 'Time Limit', 'Ninety (90) days', '90 days'],
    ['validity', 'Validity of bid', '120 days from the date of opening', '120 days'],
    ['validity', 'Bid Validity Period', '75 Days', '75 days'],
  ];
  test.each(ROWS)('%s: "%s" "%s"', async (topic, label, text, value) => {
    const layouts: PdfLine[] = [
      row(label, text),
      row('4.', label, text),
      row(`${label} : ${text}`),
      row(`(iv) ${label} - ${text}`),
      row(label, `: ${text}`),
      { cells: [label, ':', text], at: [50, 280, 300] },
    ];
    const found = await Promise.all(
      layouts.map(async (layout) => shownValue((await read([FIRST, layout])).facts, topic)),
    );
    expect(found).toEqual(layouts.map(() => value));
  });

  test('a label may have two lines', async () => {
    const lines: PdfLine[] = [
      FIRST,
      row('5.', 'Cost of tender', 'Rs. 1,500/-'),
      { cells: ['document'], at: [85], gap: 12 },
      row('6.', 'Period of', '90 days'),
      { cells: ['completion'], at: [85], gap: 12 },
    ];
    const { facts } = await read(lines);
    expect([shownValue(facts, 'fee'), shownValue(facts, 'period')]).toEqual(['1500.00 rupees', '90 days']);
  });
});

describe('no value is shown', () => {
  const TRAPS: [why: string, topic: FactTopic, ...pages: PdfLine[][]][] = [
    ['for a share', 'emd', [row('Earnest Money', '2% of the estimated cost')]],
    ['for a limit', 'emd', [row('Earnest Money', 'not exceeding Rs. 50,000/-')]],
    ['for a choice', 'emd', [row('Earnest Money', 'Rs. 50,000/- or 2%, whichever is higher')]],
    [
      'for a choice in the next line',
      'emd',
      [row('EMD', 'Rs. 50,000/-'), { cells: ['or 2% of the cost'], at: [290], gap: 12 }],
    ],
    [
      'for a choice in the next line of a sentence',
      'emd',
      [row('EMD: Rs. 50,000/-'), prose('or as the office decides')],
    ],
    ['for a sentence of the general conditions', 'emd', [row('The earnest money of Rs. 5,000 shall be forfeited.')]],
    ['for an example', 'emd', [row('For example, earnest money Rs. 5,000/-')]],
    [
      'for two works in one row',
      'emd',
      [{ cells: ['Earnest Money', 'Rs. 5,000/-', 'Rs. 7,500/-'], at: [50, 250, 400] }],
    ],
    [
      'for a rival in another sentence',
      'emd',
      [row('EMD', 'Rs. 5,000/-'), row('Bidders attach earnest money of Rs. 6,000/- as FDR.')],
    ],
    ['for a rival on a later page', 'emd', [row('EMD', 'Rs. 5,000/-')], [row('EMD', 'Rs. 6,000/-')]],
    ['for figures and words that differ', 'emd', [row('EMD', 'Rs. 12,300/- (Rupees Thirteen Thousand only)')]],
    ['for wrong groups of figures', 'emd', [row('EMD', 'Rs. 1,23,45/-')]],
    ['for a year', 'fee', [row('Tender Fee', '2026')]],
    ['for an exemption', 'emd', [row('EMD', 'Nil')]],
    ['for zero', 'fee', [row('Tender Fee', 'Rs. 0.00')]],
    ['for an amount per unit', 'fee', [row('Tender Fee', 'Rs. 500 per copy')]],
    ['for an amount with tax', 'fee', [row('Tender Fee', 'Rs. 500 + GST')]],
    ['for two units', 'period', [row('Period of completion', '6 months / 180 days')]],
    ['for parts of a work', 'period', [row('Period of completion', '6 months for part A')]],
    ['for weeks', 'period', [row('Period of completion', '12 weeks')]],
    ['for the period of defects', 'period', [row('Defect liability period of work', '36 months')]],
    ['for another validity', 'validity', [row('Validity of bank guarantee', '180 days')]],
    ['for words and figures that differ', 'period', [row('Period of completion', '6 (Nine) months')]],
    [
      'for an estimate of similar works',
      'estimate',
      [row('Similar works: 80% of the estimated cost', 'Rs. 5,00,000/-')],
    ],
    ['for a corrigendum', 'emd', [row('CORRIGENDUM NO. 2'), row('Earnest Money', 'Rs. 45,000/-')]],
    ['beside a value that is replaced', 'emd', [row('EMD', 'Rs. 45,000/-'), prose('may be read as a higher sum')]],
    ['under old and new columns', 'period', [row('Earlier', 'Revised'), row('Period of completion', '3 months')]],
    [
      'of the second of two works',
      'period',
      [
        row('Name of work', 'Construction of an invented drain'),
        row('Name of work', 'Repair of an invented culvert'),
        row('Time limit', '2 months'),
      ],
    ],
    [
      'beside a column for each work',
      'emd',
      [{ cells: ['Time limit', '2 months', '3 months'], at: [50, 250, 400] }, row('EMD', 'Rs. 5,000/-')],
    ],
    ['in a specimen form', 'emd', [FIRST], [row('SPECIMEN OF AN AGREEMENT'), row('Earnest Money', 'Rs. 5,000/-')]],
    ['of an earlier work', 'period', [row('Details of similar work executed'), row('Time limit', '9 months')]],
    ['under a note of the scale', 'emd', [row('Amounts in thousands of rupees'), row('EMD', 'Rs. 491')]],
    ['for words of a part', 'period', [row('Time limit', 'Six months for part A and two months')]],
    ['for words and figures that differ', 'period', [row('Time limit', 'Ninety (60) days')]],
    [
      'after the first six pages',
      'emd',
      [FIRST],
      [FIRST],
      [FIRST],
      [FIRST],
      [FIRST],
      [FIRST],
      [row('EMD', 'Rs. 5,000/-')],
    ],
  ];
  test.each(TRAPS)('%s', async (_why, topic, ...pages) => {
    const { facts } = await read(...pages);
    expect(shownValue(facts, topic)).toBeNull();
  });

  test('for a table of works, whose rows have an amount each', async () => {
    const at = [50, 80, 230, 320, 400, 480];
    const lines: PdfLine[] = [
      FIRST,
      { cells: ['No', 'Name of work', 'Estimated cost', 'Earnest money', 'Tender fee', 'Time limit'], at },
      { cells: ['1', 'Invented road', '45,00,000', '90,000', '1,000', '6 months'], at },
      { cells: ['2', 'Invented drain', '12,00,000', '24,000', '500', '3 months'], at },
      row('EMD', 'Rs. 90,000/-'),
    ];
    const { facts } = await read(lines);
    expect(facts.filter(({ value }) => value !== null)).toEqual([]);
    expect(facts.map(({ topic }) => topic)).toEqual(expect.arrayContaining(['emd', 'estimate', 'fee', 'period']));
  });
});

describe('a line says enough', () => {
  const quotes = async (topic: FactTopic, ...lines: PdfLine[]) =>
    (await read([FIRST, ...lines])).facts.filter((fact) => fact.topic === topic).map(({ quote }) => quote);

  test('of a table: the names of its columns and the row of the first work', async () => {
    const at = [50, 90, 250, 320, 400, 480];
    const header: PdfLine = { cells: ['Sr', 'Work', 'Estimated', 'Earnest', 'Time', 'Price of'], at };
    const second: PdfLine = { cells: ['Cost', 'Money', 'limit', 'form'], at: at.slice(2), gap: 13 };
    const work: PdfLine = { cells: ['1', 'Invented road', '45,12,300', '90,300', 'One year', '1,000'], at, gap: 15 };
    for (const topic of ['emd', 'estimate', 'period'] as const)
      expect(await quotes(topic, header, second, work)).toEqual([
        'Sr Work Estimated Earnest Time Price of\nCost Money limit form\n1 Invented road 45,12,300 90,300 One year 1,000',
      ]);
  });
  test('of a sentence: the line before and the line after', async () => {
    const wrapped: PdfLine = { cells: ['Bidders shall send the hard'] };
    const next: PdfLine = { cells: ['copies so that they reach the office by 12.12.2026.'], gap: 14 };
    expect(await quotes('originals', wrapped, next)).toEqual([
      'Bidders shall send the hard\ncopies so that they reach the office by 12.12.2026.',
    ]);
    const full: PdfLine = { cells: ['The bidder shall submit the affidavit in physical form in the office of the'] };
    const rest: PdfLine = { cells: ['Executive Engineer within 3 days.'], gap: 14 };
    expect(await quotes('originals', full, rest)).toEqual([`${full.cells[0]}\n${rest.cells[0]}`]);
  });
  test.each<[FactTopic, string]>([
    ['turnover', 'Average annual turn-over of Rs. 1.20 crore'],
    ['class', 'Eligibility class: Class-II (Civil) and above'],
    ['originals', 'Submission of physical documents: room 12, till 16.12.2026'],
    ['originals', 'Original EMD: 12.12.2026 at 11 AM'],
  ])('%s: "%s"', async (topic, text) => expect(await quotes(topic, prose(text))).toEqual([text]));
});

describe('text that is printed over other text', () => {
  const offsets = [0.2, 0.4, 0.8, 1.5];
  test.each(offsets)('gives lines and no value: the whole text, %s points beside', async (offset) => {
    const { facts } = await read([FIRST, { ...row('Period of completion', '90 days'), copies: [[offset, 0]] }]);
    expect(facts.map(({ topic, value }) => [topic, value])).toEqual([['period', null]]);
  });
  test.each(offsets)('gives no value: each letter twice, %s points beside', async (offset) => {
    const { facts } = await read([
      FIRST,
      { ...row('Period of completion', '90 days'), copies: [[offset, 0]], byLetter: true },
    ]);
    expect(facts.filter(({ value }) => value !== null)).toEqual([]);
  });
  test.each([0, 1, 2])('gives no value: only figure %s twice', async (letter) => {
    const { facts } = await read([
      FIRST,
      { ...row('EMD', 'Rs 900'), copies: [[0.4, 0]], byLetter: true, onlyLetter: letter + 3 },
    ]);
    expect(facts.filter(({ value }) => value !== null)).toEqual([]);
  });
  test('gives no value: another amount over the first', async () => {
    const other: PdfLine = { cells: ['Rs. 75,500/-'], at: [294], gap: 0 };
    const { facts } = await read([FIRST, row('Earnest Money', 'Rs. 12,300/-'), other]);
    expect(facts.filter(({ value }) => value !== null)).toEqual([]);
  });
  test('does not concern the other rows', async () => {
    const { facts } = await read([
      { ...FIRST, copies: [[0.4, 0]] },
      row('Earnest Money', 'Rs. 12,300/-'),
      { ...row('Name of work'), copies: [[0.4, 0]], byLetter: true },
    ]);
    expect(shownValue(facts, 'emd')).toBe('12300.00 rupees');
  });
});

describe('what a person sees on the page decides', () => {
  const text = (before = '') =>
    `BT /F1 11 Tf 50 750 Td (Invented Division: a notice that is long enough for a page of text) Tj ET
    q BT ${before} /F1 11 Tf 50 700 Td (Earnest Money : Rs. 12,300) Tj ET Q`;
  const emdOf = async (content: string, annotation = '') => {
    const [catalogue = '', pages = '', page = '', ...rest] = onePage(rawStream(content));
    const withAnnotation = String(page).replace('/Contents', `/Annots [${annotation}] /Contents`);
    const { facts } = await readPdf(rawPdf([catalogue, pages, withAnnotation, ...rest]), LIMITS);
    expect(facts.map(({ topic, quote }) => [topic, quote])).toEqual([['emd', 'Earnest Money : Rs. 12,300']]);
    return shownValue(facts, 'emd');
  };
  const picture = 'q 200 0 0 20 45 692 cm BI /W 4 /H 4 /CS /G /BPC 8 ID 0123456789abcdef EI Q';

  test.each([
    ['struck out by a line', `${text()} 50 703 m 200 703 l S`],
    ['struck out by a bar', `${text()} 50 702.6 150 0.8 re f`],
    ['over a bar', `50 702.6 150 0.8 re f ${text()}`],
    ['crossed out', `${text()} 60 697 m 190 708 l S`],
    ['under a white patch', `${text()} 1 g 45 692 200 20 re f`],
    ['under a picture', `${text()} ${picture}`],
    ['white', text('1 g')],
    ['invisible, as in a scanned page', `${picture} ${text('3 Tr')}`],
    ['pale as a watermark', text('0.9 g')],
    ['cut off at the edge of its cell', `q 45 692 90 22 re W n ${text()} Q`],
  ])('text that is %s gives no value', async (_why, content) => expect(await emdOf(content)).toBeNull());

  test.each(['StrikeOut', 'Highlight'])('text under a note of the kind %s gives no value', async (kind) => {
    const corners = '/QuadPoints [50 712 200 712 50 698 200 698]';
    const note = `<< /Type /Annot /Subtype /${kind} /Rect [50 698 200 712] ${corners} /C [1 0 0] >>`;
    expect(await emdOf(text(), note)).toBeNull();
  });

  test.each([
    ['underlined', `${text()} 50 698 150 0.7 re f`],
    ['in a frame', `${text()} 45 692 200 22 re S`],
    ['on a background', `0.9 g 45 692 200 22 re f 0 g ${text()}`],
    ['on a picture', `${picture} ${text()}`],
  ])('text that is %s gives its value', async (_why, content) => expect(await emdOf(content)).toBe('12300.00 rupees'));
});

test('a stamp across the page is set aside, and no line contains its text', async () => {
  const { facts, texts } = await read([
    FIRST,
    row('Earnest Money', 'Rs. 12,300/-'),
    { cells: ['INVENTED STAMP 7'], at: [300], gap: 0, turn: 40 },
    { cells: ['TURNED STAMP 8'], at: [320], gap: 0, turn: 90 },
  ]);
  expect(shownValue(facts, 'emd')).toBe('12300.00 rupees');
  expect(texts.join()).not.toContain('STAMP');
});

test('ligatures count as their letters, and are shown as they are', async () => {
  const { facts } = await readPdf(ligaturePdf('Certi# of registration of the #rm under GST', 'ﬁ'), LIMITS);
  expect(facts).toMatchObject([{ topic: 'registration', quote: 'Certiﬁ of registration of the ﬁrm under GST' }]);
});

test('Hindi labels stand beside English ones', async () => {
  const { facts } = await read([
    FIRST,
    { cells: ['Earnest Money', 'Rs. 12,300/-'] },
    { cells: ['कार्य की अवधि', '6 months'], font: 'devanagari' },
  ]);
  expect(shownValue(facts, 'emd')).toBe('12300.00 rupees');
  expect(shownValue(facts, 'period')).toBeNull();
});

test('a page in letters of an old font is not read', async () => {
  const legacy = Array.from({ length: 12 }, () =>
    prose('fufonk vkea=.k lwpuk dk;kZy; vf/k"kklh vfHk;Urk yksd fuekZ.k foHkkx'),
  );
  expect(await read(legacy)).toMatchObject({ state: 'font', unreadPages: [{ page: 1, why: 'font' }], facts: [] });
  const accents = Array.from({ length: 12 }, () => prose('Èñ¡ü£ òâ¿ Ö×ßÃ ÄÅÇÑ earnest money'));
  expect(await read(accents, [FIRST])).toMatchObject({ state: 'part', unreadPages: [{ page: 1, why: 'font' }] });
});

test('a page with a picture and no text is a picture, an empty page is not', async () => {
  expect(await read([FIRST], [{ cells: ['Signed'], picture: true }], [])).toMatchObject({
    state: 'part',
    unreadPages: [{ page: 2, why: 'picture' }],
  });
  expect(await read([{ cells: [], picture: true }])).toMatchObject({ state: 'pictures', facts: [] });
});

test('of more than 400 pages the first 400 are read', async () => {
  const reading = await read(...Array.from({ length: 401 }, () => [FIRST]));
  expect([reading.state, reading.pages, reading.texts.length]).toEqual(['part', 401, 400]);
  expect(reading.unreadPages).toEqual([{ page: 401, why: 'limit' }]);
});

describe('the form of the railways', () => {
  const at = [40, 170, 310, 450];
  const form = (emd: string, period: string, ...more: PdfLine[]) => [
    { cells: ['INVENTED RAILWAY TENDER DOCUMENT'] },
    { cells: ['Bidding type', 'Normal Tender', 'Tender Closing Date Time', '05/12/2026 15:00'], at, size: 8 },
    { cells: ['Advertised Value', '34567890.12', 'Bidding Style', 'Single Rate'], at, size: 8 },
    { cells: ['Earnest Money (Rs.)', emd, 'Validity of Offer ( Days)', '60'], at, size: 8 },
    { cells: ['Tender Doc. Cost (Rs.)', '0.00', 'Period of Completion', period], at, size: 8 },
    ...more,
  ];
  const values = async (...lines: Parameters<typeof form>) => {
    const { facts } = await read(form(...lines));
    return (['estimate', 'emd', 'validity', 'period', 'fee'] as const).map((topic) => shownValue(facts, topic));
  };
  test('has its values in two pairs a row', async () =>
    expect(await values('322900.00', '9 Months')).toEqual([
      '34567890.12 rupees',
      '322900.00 rupees',
      '60 days',
      '9 months',
      null,
    ]));
  test('has no value in another format or with a rival', async () => {
    expect(await values('As per rules', '9 Months 15 Days')).toEqual([
      '34567890.12 rupees',
      null,
      '60 days',
      null,
      null,
    ]);
    const rival = { cells: ['Earnest Money (Rs.)', '1000.00', 'Period of Completion', '8 Months'], at, size: 8 };
    expect(await values('322900.00', '9 Months', rival)).toEqual(['34567890.12 rupees', null, '60 days', null, null]);
  });
});

describe('the bid document of GeM', () => {
  const form = (...more: PdfLine[]) => [
    { cells: ['Bid Number: GEM/2026/B/0000001'] },
    { cells: ['Bid Details'] },
    { cells: ['Bid Offer Validity (From End Date)', '180 (Days)'] },
    { cells: ['Estimated Bid Value', '1200000'] },
    ...more,
  ];
  test('has values in its own format', async () => {
    const { facts } = await read(form(row('EMD Amount', '24000')));
    expect((['emd', 'estimate', 'validity'] as const).map((topic) => shownValue(facts, topic))).toEqual([
      '24000.00 rupees',
      '1200000.00 rupees',
      '180 days',
    ]);
  });
  test('may have labels of two lines, after a Hindi name whose letters are lost', async () => {
    const [first = row(), second = row()] = form();
    const { facts } = await read([
      ...[first, second, row('( ) /Bid Offer Validity (From', '180 (Days)')],
      { cells: ['End Date)'], gap: 12 },
      row('/EMD Amount', '24000'),
      row('/Estimated Bid', '1200000'),
      { cells: ['Value'], gap: 12 },
    ]);
    expect((['emd', 'estimate', 'validity'] as const).map((topic) => shownValue(facts, topic))).toEqual([
      '24000.00 rupees',
      '1200000.00 rupees',
      '180 days',
    ]);
  });
  test('has none where schedules have an amount each', async () => {
    const { facts } = await read(form(row('EMD Amount', '24000'), row('EMD Amount', '36000')));
    expect(shownValue(facts, 'emd')).toBeNull();
  });
});
