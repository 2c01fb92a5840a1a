/** All recurring jobs with their command-line name, schedule in Indian time, and function. */
import type { Type } from '@nestjs/common';
import { deleteExpiredAuthData } from '../auth/auth-cleanup.job.ts';
import { computeAwardStatistics } from '../awards/award-statistics.job.ts';
import { cleanUpDocuments } from '../documents/documents-cleanup.job.ts';
import { DocumentFetchService } from '../documents/files/document-fetch.service.ts';
import { FeedsService } from '../ingest/feeds/feeds.service.ts';
import { reindexTenders } from '../ingest/reindex-tenders.job.ts';
import type { Job } from '../jobs/job.ts';
import type { JobName } from '../jobs/job-names.ts';
import { ProviderAuditService } from '../orders/settlement/provider-audit.service.ts';
import { ReconcileService } from '../orders/settlement/reconcile.service.ts';
import { PlanEndsService } from '../plans/plan-ends.service.ts';
import { createAndSendAlerts } from '../push/alerts/closing-soon.job.ts';
import { warnOfExpiringDocuments } from '../push/alerts/document-expiry.job.ts';
import { OfficeAlertsService } from '../push/alerts/office-alerts.service.ts';
import { SearchAlertsService } from '../push/alerts/search-alerts.service.ts';
import { PushSenderService } from '../push/sending/push-sender.service.ts';
import { applyRetention } from '../retention/retention.service.ts';
import { compactScopes } from '../sync/compact-sync.job.ts';
import { PackBuildsService } from '../sync/pack-builds.service.ts';
import { archiveClosedTenders } from '../tenders/archive-tenders.job.ts';
import { publishDueDrafts } from '../tenders/publish-drafts.job.ts';
import { eraseAccounts } from '../users/erase-accounts.job.ts';

const runService =
  (type: Type<{ run(): Promise<number> }>): Job['run'] =>
  async ({ find }) =>
    (await find(type)).run();

const sendDuePushes: Job['run'] = async ({ find }) => (await find(PushSenderService)).sendDue();

const JOBS_BY_NAME: Readonly<Record<JobName, Job>> = {
  'reconcile-orders': { everySeconds: 30, run: runService(ReconcileService) },
  'fetch-documents': { cron: '* * * * *', run: runService(DocumentFetchService) },
  'closing-soon': { cron: '* * * * *', run: createAndSendAlerts },
  'search-alerts': {
    cron: '* * * * *',
    async run(context) {
      await (await context.find(SearchAlertsService)).createMatchNotices();
      await (await context.find(OfficeAlertsService)).createOfficeNotices();
      return sendDuePushes(context);
    },
  },
  'send-pushes': { everySeconds: 10, run: sendDuePushes },
  'import-feeds': { cron: '* * * * *', run: runService(FeedsService) },
  'publish-drafts': { cron: '* * * * *', run: publishDueDrafts },
  'archive-tenders': { cron: '27 * * * *', run: archiveClosedTenders },
  'reindex-tenders': { everySeconds: 60, run: reindexTenders },
  'prepare-packs': {
    everySeconds: 60,
    run: async ({ find, now }) => (await find(PackBuildsService)).requestMissing(now),
  },
  'award-statistics': { cron: '*/10 * * * *', run: computeAwardStatistics },
  'compact-sync': { cron: '7 * * * *', run: compactScopes },
  'auth-cleanup': { cron: '37 * * * *', run: deleteExpiredAuthData },
  'plan-ends': { cron: '11 10 * * *', run: runService(PlanEndsService) },
  'document-expiry': { cron: '0 9 * * *', run: warnOfExpiringDocuments },
  'audit-payments': { cron: '13 4 * * *', run: runService(ProviderAuditService) },
  'documents-cleanup': { cron: '43 3 * * *', run: cleanUpDocuments },
  'apply-retention': { cron: '53 2 * * *', run: applyRetention },
  'erase-accounts': { cron: '23 3 * * *', run: eraseAccounts },
};

export const JOBS: Readonly<Record<string, Job>> = JOBS_BY_NAME;

/** Earlier job names and their present names. `npm run job` accepts them. A starting worker removes their queues. */
export const EARLIER_JOB_NAMES: Readonly<Record<string, string>> = {
  'compare-payments': 'audit-payments',
  documents: 'fetch-documents',
  'forget-attempts': 'auth-cleanup',
  'tender-status': 'publish-drafts',
  'tidy-files': 'documents-cleanup',
};
