/** The names of the kinds of documents that bidders upload, and when the end of a document's validity is announced. */
import names from './document-kind-names.json' with { type: 'json' };

/** Days until the first warning of the end of validity, and until the last one. */
export const EXPIRY_WARNING_DAYS = [30, 7] as const;

const isKind = (id: string): id is keyof typeof names => Object.hasOwn(names, id);

/** English and Hindi name of a kind; undefined for an unknown one. */
export const kindNames = (id: string): { en: string; hi: string } | undefined => (isKind(id) ? names[id] : undefined);
