/** The typed contact form. It is stored for this tab until it is sent, so that a reload loses nothing. */
import { readTabDraft, saveTabDraft } from '../../data/device/tab-drafts.ts';
import { CONTACT_FIELDS, type ContactFields } from './contact-form.ts';

/** The typed values. `messageId` is set once a call has failed: when sent again, it is the same message. */
interface ContactDraft {
  typed: Partial<ContactFields>;
  messageId: string | null;
}

export const EMPTY_CONTACT_DRAFT: ContactDraft = { typed: {}, messageId: null };

const DRAFT_NAME = 'contactDraft';

function parseDraft(stored: { typed?: unknown; messageId?: unknown }): ContactDraft {
  const typed: Partial<Record<string, unknown>> = { ...(stored.typed as object | undefined) };
  const isRight = (name: keyof ContactFields) =>
    typeof typed[name] === (name === 'agreeToTerms' ? 'boolean' : 'string');
  return {
    typed: Object.fromEntries(CONTACT_FIELDS.filter(isRight).map((name) => [name, typed[name]])),
    messageId: typeof stored.messageId === 'string' ? stored.messageId : null,
  };
}

/** An owner's draft in this tab. A field of the wrong type is left out. */
export function readContactDraft(owner: string): ContactDraft {
  const stored = readTabDraft(DRAFT_NAME, owner);
  return typeof stored === 'object' && stored !== null ? parseDraft(stored) : EMPTY_CONTACT_DRAFT;
}

/** Stores an owner's draft. Without storage it is lost when the page closes. */
export function saveContactDraft(owner: string, draft: ContactDraft): void {
  saveTabDraft(DRAFT_NAME, owner, Object.keys(draft.typed).length === 0 ? null : draft);
}
