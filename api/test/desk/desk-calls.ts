/** Every call of the desk with the least role that may make it. A call that is missing here fails the test of roles. */
import type { StaffRole } from '@nivida/contract/desk/act';

export const DESK_CALLS: Record<string, StaffRole> = {
  'GET /api/desk/me': 'support',
  'GET /api/desk/messages': 'support',
  'GET /api/desk/messages/{id}': 'support',
  'GET /api/desk/messages/{id}/attachments/{attachmentId}': 'support',
  'POST /api/desk/messages/{id}/answer': 'support',
  'POST /api/desk/messages/{id}/answering': 'support',
  'POST /api/desk/messages/{id}/close': 'support',
  'POST /api/desk/messages/{id}/contact': 'support',
  'POST /api/desk/messages/{id}/reopen': 'support',
  'GET /api/desk/tenders': 'support',
  'GET /api/desk/tenders/{id}': 'support',
  'POST /api/desk/tenders/{id}/hide': 'operator',
  'POST /api/desk/tenders/{id}/unhide': 'operator',
  'POST /api/desk/tenders/{id}/correct': 'operator',
  'POST /api/desk/tenders/{id}/uncorrect': 'operator',
  'GET /api/desk/documents': 'support',
  'POST /api/desk/documents/tenders': 'support',
  'GET /api/desk/documents/{id}': 'support',
  'POST /api/desk/documents/{id}/files': 'support',
  'POST /api/desk/documents/{id}/package': 'support',
  'POST /api/desk/documents/{id}/files/{fileId}/remove': 'support',
  'GET /api/desk/notices': 'operator',
  'POST /api/desk/notices': 'operator',
  'POST /api/desk/notices/{id}/end': 'operator',
  'GET /api/desk/incidents': 'operator',
  'POST /api/desk/incidents': 'operator',
  'POST /api/desk/incidents/{id}/update': 'operator',
  'POST /api/desk/incidents/{id}/close': 'operator',
  'GET /api/desk/approvals': 'support',
  'POST /api/desk/approvals/{id}/confirm': 'owner',
  'POST /api/desk/approvals/{id}/refuse': 'operator',
  'POST /api/desk/approvals/{id}/withdraw': 'operator',
  'GET /api/desk/orders': 'support',
  'GET /api/desk/orders/{id}': 'support',
  'POST /api/desk/orders/{id}/recheck': 'operator',
  'POST /api/desk/orders/{id}/resend': 'operator',
  'POST /api/desk/orders/{id}/resolve': 'operator',
  'POST /api/desk/orders/{id}/email': 'operator',
  'POST /api/desk/orders/{id}/refund': 'operator',
  'POST /api/desk/orders/{id}/buyer': 'support',
};

/** Calls that need no passkey. */
export const WITHOUT_PASSKEY: readonly string[] = ['GET /api/desk/me'];

/** Calls that need a passkey of the last five minutes. */
export const WITH_FRESH_PASSKEY: readonly string[] = [
  'POST /api/desk/approvals/{id}/confirm',
  'POST /api/desk/orders/{id}/refund',
];
