import { createHash } from 'node:crypto';

const HONORIFICS = /\b(?:M S|MESSRS|MR|MRS|MS|SHRI|SRI|SMT|SH|DR|ER)\b/g;
const UNIFIED: readonly [RegExp, string][] = [
  [/\b(?:PRIVATE|PVT)\b/g, 'PVT'],
  [/\b(?:LIMITED|LTD)\b/g, 'LTD'],
  [/\b(?:COMPANY|CO)\b/g, 'CO'],
  [/\b(?:ENTERPRISES?|ENTERPRISE)\b/g, 'ENTERPRISE'],
  [/\b(?:CONSTRUCTIONS?|CONST)\b/g, 'CONSTRUCTION'],
];

/** A name without spelling differences. Equal keys do not prove the same firm. */
export function nameKey(name: string): string {
  let key = name.toUpperCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
  key = key.replace(HONORIFICS, ' ');
  for (const [pattern, word] of UNIFIED) key = key.replace(pattern, word);
  return key.replaceAll(' ', '');
}

/** The digest under which a name is stored, hidden and counted. */
export const nameHash = (name: string): string => createHash('sha256').update(nameKey(name)).digest('hex').slice(0, 32);

const COMPANY = /\b(?:PVT|PRIVATE|LTD|LIMITED|LLP|SOCIETY|CORPORATION|FEDERATION|COOPERATIVE|CO-OPERATIVE)\b/i;

/** Whether the name is that of a company or society. Only these are counted by name. */
export const isCompanyName = (name: string): boolean => COMPANY.test(name);
