/** The rules of the status as one table. Tests run it through `statusAt`, the engine on the device and PostgreSQL. */
import type { TenderStage, TenderStatus } from './status.ts';

export interface StatusCase {
  stage: TenderStage;
  bidStartAt: string | null;
  closesAt: string;
  now: string;
  status: TenderStatus;
}

const CLOSES = '2026-11-20T05:30:00.000Z';
const BID_START = '2026-11-12T04:30:00.000Z';
const INSTANTS = {
  beforeBidStart: '2026-11-12T04:29:59.999Z',
  bidStart: BID_START,
  beforeClosing: '2026-11-20T05:29:59.999Z',
  closing: CLOSES,
  afterClosing: '2026-11-20T05:30:00.001Z',
};

const cases = (
  stage: TenderStage,
  bidStartAt: string | null,
  statuses: Record<keyof typeof INSTANTS, TenderStatus>,
): StatusCase[] =>
  Object.entries(INSTANTS).map(([instant, now]) => ({
    stage,
    bidStartAt,
    closesAt: CLOSES,
    now,
    status: statuses[instant as keyof typeof INSTANTS],
  }));

const always = (status: TenderStatus) => ({
  beforeBidStart: status,
  bidStart: status,
  beforeClosing: status,
  closing: status,
  afterClosing: status,
});
const untilClosing = { beforeBidStart: 'upcoming', bidStart: 'active', beforeClosing: 'active' } as const;
const afterwards = (status: TenderStatus) => ({ closing: status, afterClosing: status });

export const STATUS_CASES: readonly StatusCase[] = [
  ...cases('published', BID_START, { ...untilClosing, ...afterwards('closed') }),
  ...cases('published', null, { ...always('active'), ...afterwards('closed') }),
  ...cases('under_evaluation', BID_START, { ...untilClosing, ...afterwards('under_evaluation') }),
  ...cases('under_evaluation', null, { ...always('active'), ...afterwards('under_evaluation') }),
  ...cases('awarded', BID_START, { ...untilClosing, ...afterwards('awarded') }),
  ...cases('awarded', null, { ...always('active'), ...afterwards('awarded') }),
  ...cases('cancelled', BID_START, always('cancelled')),
  ...cases('retendered', null, always('retendered')),
];
