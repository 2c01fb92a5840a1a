/** Short forms in titles of tenders with their meanings, and words of bidding that newcomers ask about. */

/**
 * Short forms with a sign or in capitals. They match exactly as written. Forms with '/' match in any case.
 */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  'A/R': 'annual repair',
  'a/w': 'along with',
  'B/wall': 'breast wall: holds the hill above the road',
  'C/o': 'construction of',
  'M/o': 'maintenance of',
  'P/F': 'providing and fixing',
  'P/L': 'providing and laying',
  'R/wall': 'retaining wall: holds the road above the valley',
  'S/Stn': 'electrical sub-station',
  'S/H': 'sub-head: the part of the work named after it',
  BOQ: 'bill of quantities: the list in which you quote your rates',
  CC: 'cement concrete',
  DTR: 'distribution transformer',
  EMD: 'earnest money deposit: paid with the bid, returned later',
  ESD: 'electrical sub-division',
  FIS: 'flow irrigation scheme',
  GP: 'gram panchayat',
  GSB: 'granular sub-base: the lowest layer of a road',
  HEP: 'hydroelectric project',
  HPC: 'hume pipe culvert',
  HPPWD: 'Public Works Department of Himachal Pradesh',
  HPSEBL: 'State Electricity Board of Himachal Pradesh',
  HT: 'high tension: 11 kV and more',
  JSV: 'Jal Shakti Vibhag: the water department',
  LIS: 'lift irrigation scheme',
  LT: 'low tension: the line to the houses',
  LWSS: 'lift water supply scheme',
  NH: 'national highway',
  NIT: 'notice inviting tender: one notice may contain many works',
  PCC: 'plain cement concrete',
  PDNA: 'post-disaster needs assessment: pays for repairs after floods',
  PMGSY: 'Pradhan Mantri Gram Sadak Yojana: rural roads',
  RCC: 'reinforced cement concrete',
  RD: 'reduced distance: the place along the road, in km',
  RRD: 'restoration of rain damages',
  SH: 'sub-head: the part of the work named after it',
  SOP: 'supply of power',
  STP: 'sewage treatment plant',
  WBM: 'water-bound macadam: a layer of broken stone',
  WMM: 'wet mix macadam: a layer of broken stone',
  WSS: 'water supply scheme',
};

const escaped = (text: string) => text.replace(/\//g, '\\/');
const withSign = Object.keys(SHORT_FORMS).filter((form) => form.includes('/'));
const inCapitals = Object.keys(SHORT_FORMS).filter((form) => !form.includes('/'));
const anyCase = (form: string) =>
  escaped(form).replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);

/**
 * A short form that is not part of a longer word, number or office ('HPSEBL/ED'). It may have a plural 's'.
 */
const PATTERN = new RegExp(
  `(?<![\\p{L}\\p{N}/.-])(${[...withSign.map(anyCase), ...inCapitals].join('|')})(?=s?(?![\\p{L}\\p{N}/-]))`,
  'gu',
);

const meaningByKey = new Map(Object.entries(SHORT_FORMS).map(([form, meaning]) => [form.toLowerCase(), meaning]));

/** The meaning of a short form, or undefined. */
export function termMeaning(form: string): string | undefined {
  return meaningByKey.get(form.toLowerCase());
}

/** A piece of a text. `meaning` is set for a short form. */
interface TextPiece {
  /** The position in the text. */
  at: number;
  text: string;
  meaning?: string;
}

/** Divides a text at its short forms. Each form is explained once, at its first place. */
export function explainedPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  const explained = new Set<string>();
  let end = 0;
  for (const { 0: form, index } of text.matchAll(PATTERN)) {
    const meaning = termMeaning(form);
    if (meaning === undefined || explained.has(meaning)) continue;
    explained.add(meaning);
    if (index > end) pieces.push({ at: end, text: text.slice(end, index) });
    pieces.push({ at: index, text: form, meaning });
    end = index + form.length;
  }
  if (end < text.length) pieces.push({ at: end, text: text.slice(end) });
  return pieces;
}
