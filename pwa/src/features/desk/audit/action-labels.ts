/** Names of audit events, and the screens of what they are about. */
import { t } from '@lingui/core/macro';

/** Name of an action; an action without one, such as a job's, has its own text. */
export function actionLabel(action: string): string {
  return labels()[action] ?? action;
}

const labels = (): Record<string, string> => ({
  'account.opened': t`Contact data opened`,
  'account.unlocked': t`Account unlocked`,
  'account.signed-out': t`Devices signed out`,
  'account.keys-revoked': t`Keys for programs revoked`,
  'account.feeds-ended': t`Addresses of feeds ended`,
  'account.exported': t`Data exported`,
  'account.deleted': t`Account closed`,
  'account.restored': t`Account opened again`,
  'account.erased': t`Data erased`,
  'account.erase.proposed': t`Erasure proposed`,
  'account.erase.confirmed': t`Erasure confirmed`,
  'account.erase.refused': t`Erasure refused`,
  'account.erase.withdrawn': t`Erasure withdrawn`,
  'firm.created': t`Firm created`,
  'firm.changed': t`Firm changed`,
  'firm.closed': t`Firm closed`,
  'firm.invited': t`Invited to a firm`,
  'firm.joined': t`Joined a firm`,
  'firm.left': t`Left a firm`,
  'firm.removed': t`Removed from a firm`,
  'firm.role-changed': t`Role in a firm changed`,
  'order.credit-gone': t`Credit gone: payment goes back`,
  'order.firm-closed': t`Firm closed before the payment: it goes back`,
  'plan.given': t`Plan given`,
  'plan.ended': t`Gift ended`,
  'plan.states-chosen': t`States of the plan chosen`,
  'order.paid': t`Order paid`,
  'order.rechecked': t`Payment checked again`,
  'order.resent': t`Documents sent again`,
  'order.moved': t`Order given to the other payment provider`,
  'order.accepted': t`Payment accepted`,
  'order.email-changed': t`Address of an order corrected`,
  'order.buyer-opened': t`Contact data of a buyer opened`,
  'order.refund-asked': t`Refund begun`,
  'order.refund.proposed': t`Refund proposed`,
  'order.refund.confirmed': t`Refund confirmed`,
  'order.refund.refused': t`Refund refused`,
  'order.refund.withdrawn': t`Refund withdrawn`,
  'tender.hidden': t`Tender hidden`,
  'tender.unhidden': t`Tender shown again`,
  'tender.corrected': t`Tender corrected`,
  'tender.uncorrected': t`Correction ended`,
  'thread.answered': t`Message answered`,
  'thread.closed': t`Conversation closed`,
  'thread.reopened': t`Conversation opened again`,
  'thread.contact-opened': t`Contact data of a message opened`,
  'notice.published': t`Notice published`,
  'notice.ended': t`Notice ended`,
  'incident.opened': t`Incident opened`,
  'incident.updated': t`Incident updated`,
  'incident.closed': t`Incident closed`,
  'staff.granted': t`Role granted`,
  'staff.revoked': t`Role revoked`,
  'documents.attached': t`Documents attached`,
  'documents.removed': t`Document removed`,
  'documents.line-confirmed': t`Line of a document confirmed`,
  'documents.line-corrected': t`Line of a document corrected`,
  'documents.line-hidden': t`Line of a document hidden`,
  'documents.line-restored': t`Decision on a line taken back`,
  'import.sent': t`File sent for import`,
  'import.requested': t`Import asked for`,
  'import-key.added': t`Key for imports made`,
  'import-key.revoked': t`Key for imports ended`,
  'mapping.saved': t`Mapping saved`,
  'rates.imported': t`Schedule of rates imported`,
  'rates.removed': t`Schedule of rates removed`,
  'mailing.started': t`Mail to accounts begun`,
  'mailing.stopped': t`Mail to accounts stopped`,
  'tender.report-closed': t`Report of a mistake closed`,
  'tender.report-reopened': t`Report of a mistake opened again`,
  'refund.queued': t`Refund begun`,
  'refund.succeeded': t`Refund carried out`,
  'refund.failed': t`Refund failed at the provider`,
  'feed.run': t`Feed run`,
  'feed.paused': t`Feed paused`,
  'feed.resumed': t`Feed resumed`,
  'session.started': t`Signed in`,
  'sign-in.failed': t`Sign-in failed`,
  'sign-in.locked': t`Sign-in locked`,
  'session.role-refused': t`Refused at the desk`,
  'password.changed': t`Password changed`,
  'password.reset': t`Password reset`,
  'password.reset-asked': t`Password reset asked for`,
  'profile.changed': t`Profile changed`,
  'passkey.added': t`Passkey added`,
  'passkey.removed': t`Passkey removed`,
  'google.linked': t`Google sign-in linked`,
  'google.unlinked': t`Google sign-in unlinked`,
  'second-factor.on': t`Second step switched on`,
  'second-factor.off': t`Second step switched off`,
  'recovery-codes.made': t`Recovery codes made`,
});

/** Objects of actions that the log can be narrowed to, with their names. */
export const actionObjects = (): readonly (readonly [object: string, label: string])[] => [
  ['account', t`Accounts`],
  ['plan', t`Plans`],
  ['order', t`Orders`],
  ['thread', t`Messages`],
  ['tender', t`Tenders`],
  ['documents', t`Documents`],
  ['import', t`Imports`],
  ['feed', t`Feeds`],
  ['notice', t`Notices`],
  ['incident', t`Incidents`],
  ['staff', t`Roles of the staff`],
  ['sign-in', t`Sign-ins`],
];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Objects of the desk with a screen of their own. The subjects of other actions are accounts when they are UUIDs. */
const SCREENS: Partial<Record<string, string>> = {
  order: 'orders',
  tender: 'tenders',
  thread: 'messages',
  documents: 'documents',
  import: 'data',
};
const WITHOUT_SCREEN = ['incident', 'notice', 'import-key', 'mailing', 'feed', 'mapping', 'rates'];

/** The screen of what an event is about; null for none. */
export function subjectPath(action: string, subject: string): string | null {
  const object = action.replace(/\..*/, '');
  const screen = SCREENS[object];
  if (screen) return `/desk/${screen}/${encodeURIComponent(subject)}`;
  return UUID.test(subject) && !WITHOUT_SCREEN.includes(object) ? `/desk/people/${subject}` : null;
}
