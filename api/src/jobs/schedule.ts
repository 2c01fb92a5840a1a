/** Every recurring job: its name on the command line, its rhythm in Indian time, and what it does. */
import type { Type } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { forgetAttempts } from '../auth/forget-attempts.service.ts';
import { collectDocuments } from '../documents/collect.service.ts';
import { tidyFiles } from '../documents/tidy.service.ts';
import { importFeeds } from '../ingest/feeds.service.ts';
import { comparePayments } from '../orders/compare.service.ts';
import { reconcileOrders } from '../orders/reconcile.service.ts';
import { planEnds } from '../plans/plan-ends.service.ts';
import { closingSoon } from '../push/closing-soon.service.ts';
import { searchAlerts } from '../push/search-alerts.service.ts';
import { sendPushes } from '../push/sender.service.ts';
import { compactScopes } from '../sync/compact.service.ts';
import { publishDue } from '../tenders/publish.service.ts';
import { eraseAccounts } from '../users/erase.service.ts';

/** What a job is given; `now` is the instant for which it works. */
export interface JobContext {
  dataSource: DataSource;
  now: Date;
  /** A service of the app, whose clock stands at `now` where a command runs the job. */
  find<Service>(type: Type<Service>): Promise<Service>;
}

/** One recurring job, by its rhythm; `run` gives the number of things done. */
export interface Job {
  /** Minutes and longer; read in Asia/Kolkata. One process at a time runs it. */
  cron?: string;
  /** Shorter than cron can say; every worker runs it, so the job shares the work out itself. */
  everySeconds?: number;
  run(context: JobContext): Promise<number>;
}

export const JOBS: Readonly<Record<string, Job>> = {
  'reconcile-orders': { everySeconds: 30, run: reconcileOrders },
  documents: { cron: '* * * * *', run: collectDocuments },
  'closing-soon': { cron: '* * * * *', run: closingSoon },
  'search-alerts': { cron: '* * * * *', run: searchAlerts },
  'send-pushes': { everySeconds: 10, run: sendPushes },
  'import-feeds': { cron: '* * * * *', run: importFeeds },
  'tender-status': { cron: '* * * * *', run: publishDue },
  'compact-sync': { cron: '7 * * * *', run: compactScopes },
  'forget-attempts': { cron: '37 * * * *', run: forgetAttempts },
  'plan-ends': { cron: '11 10 * * *', run: planEnds },
  'compare-payments': { cron: '13 4 * * *', run: comparePayments },
  'tidy-files': { cron: '43 3 * * *', run: tidyFiles },
  'erase-accounts': { cron: '23 3 * * *', run: eraseAccounts },
};
