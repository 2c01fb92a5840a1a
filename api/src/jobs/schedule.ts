/** All recurring jobs with their command-line name, schedule in Indian time, and function. */
import type { Type } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { deleteExpiredAuthData } from '../auth/auth-cleanup.job.ts';
import { cleanUpDocuments } from '../documents/documents-cleanup.job.ts';
import { fetchDocuments } from '../documents/files/document-fetch.service.ts';
import { importFeeds } from '../ingest/feeds/feeds.service.ts';
import { auditPayments } from '../orders/settlement/provider-audit.service.ts';
import { reconcileOrders } from '../orders/settlement/reconcile.service.ts';
import { notifyPlanEnds } from '../plans/plan-ends.service.ts';
import { sendClosingAlerts } from '../push/alerts/closing-soon.job.ts';
import { sendSearchAlerts } from '../push/alerts/search-alerts.service.ts';
import { sendPushes } from '../push/sending/push-sender.service.ts';
import { compactScopes } from '../sync/compact-sync.job.ts';
import { publishDueDrafts } from '../tenders/publish-drafts.job.ts';
import { eraseAccounts } from '../users/erase-accounts.job.ts';

/** The context of a job; `now` is the instant for which it works. */
export interface JobContext {
  dataSource: DataSource;
  now: Date;
  /** Finds a service of the app. If a command runs the job, the service's clock returns `now`. */
  find<Service>(type: Type<Service>): Promise<Service>;
}

/** A recurring job; `run` returns the number of processed items. */
export interface Job {
  /** For minutes and longer, in Asia/Kolkata. One process at a time runs it. */
  cron?: string;
  /** For intervals below a minute. Every worker runs it, so the job must claim its work itself. */
  everySeconds?: number;
  run(context: JobContext): Promise<number>;
}

export const JOBS: Readonly<Record<string, Job>> = {
  'reconcile-orders': { everySeconds: 30, run: reconcileOrders },
  documents: { cron: '* * * * *', run: fetchDocuments },
  'closing-soon': { cron: '* * * * *', run: sendClosingAlerts },
  'search-alerts': { cron: '* * * * *', run: sendSearchAlerts },
  'send-pushes': { everySeconds: 10, run: sendPushes },
  'import-feeds': { cron: '* * * * *', run: importFeeds },
  'tender-status': { cron: '* * * * *', run: publishDueDrafts },
  'compact-sync': { cron: '7 * * * *', run: compactScopes },
  'forget-attempts': { cron: '37 * * * *', run: deleteExpiredAuthData },
  'plan-ends': { cron: '11 10 * * *', run: notifyPlanEnds },
  'compare-payments': { cron: '13 4 * * *', run: auditPayments },
  'tidy-files': { cron: '43 3 * * *', run: cleanUpDocuments },
  'erase-accounts': { cron: '23 3 * * *', run: eraseAccounts },
};
