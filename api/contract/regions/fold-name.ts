/** Comparable spellings of names of places and organisations. The PWA loads this file without `regions.json`. */

const NON_ASCII_PATTERN = /[\u0080-\uffff]/;

/** One spelling for lookups: 'Lahaul & Spiti' and 'LAHAUL-AND-SPITI' both become 'lahaul and spiti'. */
export function foldName(text: string): string {
  if (!NON_ASCII_PATTERN.test(text))
    return text
      .toLowerCase()
      .replaceAll('&', ' and ')
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '') // the marks that NFKD has split from Latin letters
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

const IGNORED_WORDS = new Set(
  'department departments deptt dept directorate of and the limited ltd private pvt'.split(' '),
);

/** Words with several spellings on portals, and former names of states. */
const WORD_ALIASES: Readonly<Record<string, string>> = {
  corpn: 'corporation',
  corp: 'corporation',
  govt: 'government',
  dev: 'development',
  devl: 'development',
  devt: 'development',
  engg: 'engineering',
  orissa: 'odisha',
  uttaranchal: 'uttarakhand',
  pondicherry: 'puducherry',
};

/**
 * One spelling for lookups of an organisation: 'ST & SC Development Deptt.' and 'Department of ST and SC Development' both
 * become 'st sc development', 'P.W.D.' becomes 'pwd'.
 */
export function foldDepartment(text: string): string {
  return foldName(text)
    .replace(/\b\p{L}(?: \p{L}\b)+/gu, (letters) => letters.replaceAll(' ', ''))
    .split(' ')
    .filter((word) => !IGNORED_WORDS.has(word))
    .map((word) => WORD_ALIASES[word] ?? word)
    .join(' ');
}
