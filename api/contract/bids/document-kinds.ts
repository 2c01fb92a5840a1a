/** The names of the kinds of documents that bidders upload, and when the end of a document's validity is announced. */
import type { MessageDescriptor } from '@lingui/core';
import { KIND_NAMES } from './document-kind-names.ts';

/** Days until the first warning of the end of validity, and until the last one. */
export const EXPIRY_WARNING_DAYS = [30, 7] as const;

const isKind = (id: string): id is keyof typeof KIND_NAMES => Object.hasOwn(KIND_NAMES, id);

/** English and Hindi name of a kind; undefined for an unknown one. */
export const kindNames = (id: string): { en: MessageDescriptor; hi: string } | undefined =>
  isKind(id) ? KIND_NAMES[id] : undefined;
