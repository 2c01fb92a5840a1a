/** A document of the user's vault, and how long it is valid. */

import { plural, t } from '@lingui/core/macro';
import { EXPIRY_WARNING_DAYS } from '@nivida/contract/bids/document-kinds';
import { endOfIndianDay, formatDate, indianDay } from '@nivida/contract/format';
import { i18n, inLanguage } from '@nivida/contract/i18n';
import { type DocumentKind, findKind } from './match-kinds.ts';

/** A file of a document, by its content. */
export interface DocumentFile {
  /** SHA-256 in hex. */
  hash: string;
  name: string;
  type: string;
  bytes: number;
}

/** A document of the user: the fields of a `bidDocument` record, with its id. */
export interface VaultDocument {
  id: string;
  kind?: string;
  title?: string;
  number?: string;
  issuer?: string;
  forState?: string;
  /** The last day of validity, '2026-04-15'. */
  validUntil?: string;
  /** When it was saved. */
  createdAt?: string;
  files?: readonly DocumentFile[];
}

const FIRST_WARNING_DAYS = EXPIRY_WARNING_DAYS[0];

/** `undated`: the kind expires, but no date is saved. `lasting`: the kind has no expiry date. */
export type Validity = 'expired' | 'soon' | 'undated' | 'valid' | 'lasting';

const kindName = (id = ''): string | undefined => {
  const kind = findKind(id);
  return kind && i18n._(kind.name);
};

/** The name of a kind in stored titles. */
export const englishName = (kind: DocumentKind): string => inLanguage('en', () => i18n._(kind.name));

/** A stored title with the name of its kind in the present language. */
function titleText(title: string, id: string | undefined): string {
  const kind = findKind(id ?? '');
  const stored = kind && `${englishName(kind)}, `;
  return stored && title.startsWith(stored) ? `${i18n._(kind.name)}, ${title.slice(stored.length)}` : title;
}

/** The name of a document: its title, or its kind. */
export const documentName = ({ title, kind }: VaultDocument): string =>
  title ? titleText(title, kind) : (kindName(kind) ?? t`Document`);

/** Indian days from now to the last day of validity. Negative after that day. */
const daysToExpiry = (validUntil: string, now: Date): number => indianDay(endOfIndianDay(validUntil)) - indianDay(now);

const soonText = (days: number, day: string): string => {
  if (days === 0) return t`Expires today, on ${day}`;
  return days === 1
    ? t`Expires tomorrow, on ${day}`
    : t`Expires in ${plural(days, { one: '# day', other: '# days' })}, on ${day}`;
};

/** Whether a document is valid now, with a text that says so. */
export function documentValidity(document: VaultDocument, now: Date): { validity: Validity; text: string } {
  const { validUntil, kind } = document;
  if (!validUntil) {
    const life: DocumentKind['life'] | undefined = kind ? findKind(kind)?.life : undefined;
    return life === 'expires'
      ? { validity: 'undated', text: t`No expiry date saved. Read the date and enter it.` }
      : { validity: 'lasting', text: t`No expiry date` };
  }
  const day = formatDate(endOfIndianDay(validUntil));
  const days = daysToExpiry(validUntil, now);
  if (days < 0) return { validity: 'expired', text: t`Expired on ${day}` };
  if (days <= FIRST_WARNING_DAYS) return { validity: 'soon', text: soonText(days, day) };
  return { validity: 'valid', text: t`Valid till ${day}` };
}

/** Documents of one kind, in the order of the kinds. */
interface VaultGroup {
  kind: DocumentKind | undefined;
  documents: VaultDocument[];
}

const byValidity = (a: VaultDocument, b: VaultDocument): number =>
  (b.validUntil ?? '').localeCompare(a.validUntil ?? '') || documentName(a).localeCompare(documentName(b));

/**
 * The documents by kind. Within a kind, the one valid longest is first. Documents of an unknown kind are
 * last.
 */
export function groupByKind(documents: readonly VaultDocument[], kinds: readonly DocumentKind[]): VaultGroup[] {
  const known = kinds.map((kind) => ({ kind, documents: documents.filter((each) => each.kind === kind.id) }));
  const ids = new Set(kinds.map(({ id }) => id));
  const other = { kind: undefined, documents: documents.filter(({ kind }) => !kind || !ids.has(kind)) };
  return [...known, other]
    .filter((group) => group.documents.length > 0)
    .map((group) => ({ ...group, documents: [...group.documents].sort(byValidity) }));
}

/** A document whose validity ends within the warning days, or has ended. */
interface ExpiringDocument {
  document: VaultDocument;
  /** The warning that is due: 30 or 7 days before the end; 0 after it. */
  warning: number;
  text: string;
}

/**
 * The documents to warn about, most urgent first. Each warning has its own key: after a warning is marked as
 * read, the next one is shown again.
 */
export function expiringDocuments(
  documents: readonly VaultDocument[],
  readWarnings: ReadonlySet<string>,
  now: Date,
): (ExpiringDocument & { key: string })[] {
  return documents
    .flatMap((document) => {
      if (!document.validUntil) return [];
      const days = daysToExpiry(document.validUntil, now);
      if (days > FIRST_WARNING_DAYS) return [];
      const warning = days < 0 ? 0 : Math.min(...EXPIRY_WARNING_DAYS.filter((each) => days <= each));
      const key = `${document.id} ${document.validUntil} ${warning}`;
      return readWarnings.has(key)
        ? []
        : [{ document, warning, key, text: documentValidity(document, now).text, days }];
    })
    .sort((a, b) => a.days - b.days)
    .map(({ days: _, ...rest }) => rest);
}
