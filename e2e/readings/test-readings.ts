/** Answers about official documents, for screens in states that a server reaches only with many files. */
import type { Page } from '@playwright/test';

const TEXTS = [
  'Earth work in excavation by mechanical means over areas exceeding 30 cm in depth, including getting out and disposal of the excavated soil within 50 m, as directed by the engineer in charge',
  'Random rubble masonry with hard stone in foundation and plinth in cement mortar 1:6',
  'Cement concrete 1:2:4 with graded stone aggregate of 20 mm, cured for seven days',
  'Steel reinforcement, cut, bent, placed in position and bound with wire',
  'Plaster of 12 mm thickness in cement mortar 1:4',
];
const UNITS = ['cum', 'cum', 'cum', 'kg', 'sqm'];

/** Fields of a contract's object that a test names. */
type Fields = Record<string, unknown>;

/** Items under two headings. `rate`: the office's rate. The first row is 12. */
export const boqItems = (count: number, rate: string | null = null) =>
  Array.from({ length: count }, (_, at) => ({
    at,
    no: `${Math.floor(at / 5) + 1}.${String((at % 5) + 1).padStart(2, '0')}`,
  }))
    .flatMap(({ at, no }) => {
      const heading = {
        no: `${at / 5 + 1}`,
        text: `Part ${at / 5 + 1}: civil works`,
        unit: null,
        quantity: null,
        rate: null,
      };
      const item = {
        no,
        text: `${TEXTS[at % 5]}, part ${at + 1}`,
        unit: UNITS[at % 5],
        quantity: `${(at % 7) * 1234 + 1}.5`,
        rate,
      };
      return at % 5 === 0 ? [heading, item] : [item];
    })
    .map((line, at) => ({ row: 12 + at, offered: null, ...line }));

export const boqOf = (kind: string, items: ReturnType<typeof boqItems>, fields: Fields = {}) => ({
  ...{ kind, sheet: 'BoQ1', items, statedTotal: null, offeredPercent: null },
  ...fields,
});

/** A BOQ of file 2 as the tender's reading has it. */
export const readBoq = (boq: ReturnType<typeof boqOf>, summary: Fields = {}, fields: Fields = {}) => ({
  ...{ fileId: '2', boq, changes: null },
  summary: {
    ...{ kind: boq.kind, items: boq.items.filter(({ quantity }) => quantity !== null).length, isLumpSum: false },
    ...{ totalPaise: null, statedTotalPaise: null, totalState: 'unknown', ...summary },
  },
  ...fields,
});

export const officialFile = (fields: Fields = {}) => ({
  ...{
    id: '1',
    name: 'NIT_2099_PWD_Tendernotice_1.pdf',
    kind: 'nit',
    sha256: 'a'.repeat(64),
    state: 'done',
    pages: 60,
  },
  ...{ unreadPages: [], readAt: '2026-04-13T05:30:00.000Z', isOwn: false },
  ...fields,
});

export const boqFile = (fields: Fields = {}) =>
  officialFile({ id: '2', name: 'BOQ_88231.xls', kind: 'boq', sha256: 'b'.repeat(64), pages: null, ...fields });

export const fact = (topic: string, page: number, quote: string, fields: Fields = {}) => ({
  ...{ id: `${topic}-${page}`, fileId: '1', topic, page, quote, value: null, state: 'found' },
  ...fields,
});

export const rupees = (amount: string) => ({ value: { unit: 'rupees', amount } });

/** What a reading has; missing parts are empty. */
export interface TestReading {
  files?: Fields[];
  facts?: Fields[];
  boqs?: Fields[];
}

/** The page's tenders have this reading from now on. Null: the server has an error. */
export async function answerReading(page: Page, reading: TestReading | null): Promise<void> {
  await page.unroute('**/api/tenders/*/reading');
  await page.route('**/api/tenders/*/reading', (route) =>
    reading
      ? route.fulfill({ json: { files: [], facts: [], boqs: [], ...reading } })
      : route.fulfill({ status: 500, json: {} }),
  );
}
