/** The names of the recurring jobs, as on the command line. */
export const JOB_NAMES = [
  'reconcile-orders',
  'fetch-documents',
  'closing-soon',
  'search-alerts',
  'send-pushes',
  'import-feeds',
  'publish-drafts',
  'archive-tenders',
  'reindex-tenders',
  'prepare-packs',
  'award-statistics',
  'compact-sync',
  'auth-cleanup',
  'plan-ends',
  'document-expiry',
  'audit-payments',
  'documents-cleanup',
  'apply-retention',
  'erase-accounts',
] as const;

export type JobName = (typeof JOB_NAMES)[number];
