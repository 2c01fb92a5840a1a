/** The form of a document: its values, their validation and the fields of the record. */
import { t } from '@lingui/core/macro';
import { asciiDigits } from '@nivida/contract/digits';
import { check, maxLength, object, optional, pipe, regex, string, transform, trim } from 'valibot';
import type { VaultDocument } from '../../data/bid-documents/vault-document.ts';

const short = (maxCharacters: number) =>
  pipe(
    string(),
    trim(),
    maxLength(maxCharacters, () => t`At most ${maxCharacters} letters`),
  );

const isRealDay = (day: string): boolean => {
  if (day === '') return true;
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
};

/** The values of the form; '' for an empty field. */
export const DocumentForm = object({
  kind: pipe(
    string(),
    regex(/./, () => t`Choose the kind of document`),
  ),
  title: short(200),
  number: pipe(short(60), transform(asciiDigits)),
  issuer: short(200),
  forState: optional(string(), ''),
  validUntil: pipe(
    string(),
    check(isRealDay, () => t`Enter a date, such as 15-04-2026`),
    regex(/^(20|$)/, () => t`Check the year`),
  ),
});

type DocumentValues = Record<'kind' | 'title' | 'number' | 'issuer' | 'forState' | 'validUntil', string>;

/** The kind for documents that fit no kind of the list. */
export const OTHER_KIND = 'other';

/** The form's values for an existing document, or for a new one. */
export const documentValues = (document: Partial<VaultDocument> = {}): DocumentValues => ({
  kind: document.kind ?? '',
  title: document.title ?? '',
  number: document.number ?? '',
  issuer: document.issuer ?? '',
  forState: document.forState ?? '',
  validUntil: document.validUntil ?? '',
});

/** The fields of the record. Null removes a value. */
export const documentFields = (values: DocumentValues): { [Name in keyof DocumentValues]: string | null } => ({
  kind: values.kind,
  title: values.title || null,
  number: values.number || null,
  issuer: values.issuer || null,
  forState: values.forState || null,
  validUntil: values.validUntil || null,
});
