/** Typed messages to support. A draft is stored for this tab until it is sent, so that a reload loses nothing. */
import { ATTACHMENT_TYPES, type SupportAttachment } from '@nivida/contract/support/attachments';
import { readTabDraft, saveTabDraft } from '../../data/device/tab-drafts.ts';

/** The values of the form of a message. A reply has no subject. */
export interface MessageFields {
  subject: string;
  text: string;
}

/** `files` are stored on the device already. */
export interface MessageDraft {
  typed: Partial<MessageFields>;
  files: readonly SupportAttachment[];
}

const EMPTY_DRAFT: MessageDraft = { typed: {}, files: [] };

const draftName = (threadId: string | null): string => `support ${threadId ?? 'new'}`;

function isAttachment(value: unknown): value is SupportAttachment {
  const { id, name, type, bytes }: Partial<Record<string, unknown>> = { ...(value as object | null) };
  const isType = ATTACHMENT_TYPES.some((each) => each === type);
  return typeof id === 'string' && typeof name === 'string' && isType && typeof bytes === 'number';
}

/** An owner's draft of a reply, or of a new thread (null). Fields of a wrong type are left out. */
export function readMessageDraft(owner: string, threadId: string | null): MessageDraft {
  const stored = readTabDraft(draftName(threadId), owner);
  if (typeof stored !== 'object' || stored === null) return EMPTY_DRAFT;
  const { typed, files }: { typed?: unknown; files?: unknown } = stored;
  const { subject, text }: Partial<Record<string, unknown>> = { ...(typed as object | undefined) };
  return {
    typed: { ...(typeof subject === 'string' && { subject }), ...(typeof text === 'string' && { text }) },
    files: Array.isArray(files) ? files.filter(isAttachment) : [],
  };
}

/** Stores a draft. An empty one is removed. */
export function saveMessageDraft(owner: string, threadId: string | null, draft: MessageDraft): void {
  const isEmpty = draft.files.length === 0 && Object.values(draft.typed).every((value) => value === '');
  saveTabDraft(draftName(threadId), owner, isEmpty ? null : draft);
}

/** Puts a message back into its form, before what is typed there. */
export function returnToDraft(owner: string, threadId: string | null, { typed, files }: MessageDraft): void {
  const present = readMessageDraft(owner, threadId);
  const texts = [typed.text, present.typed.text].filter(Boolean);
  saveMessageDraft(owner, threadId, {
    typed: { ...present.typed, ...typed, text: texts.join('\n\n') },
    files: [...files, ...present.files],
  });
}
