/** Short forms in titles of tenders with their meanings, and words of bidding that newcomers ask about. */
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { i18n } from '@nivida/contract/i18n';

/**
 * Short forms with a sign or in capitals. They match exactly as written. Forms with '/' match in any case.
 */
const SHORT_FORMS: Readonly<Record<string, MessageDescriptor>> = {
  'A/R': msg`annual repair`,
  'a/w': msg`along with`,
  'B/wall': msg`breast wall: holds the hill above the road`,
  'C/o': msg`construction of`,
  'M/o': msg`maintenance of`,
  'P/F': msg`providing and fixing`,
  'P/L': msg`providing and laying`,
  'R/wall': msg`retaining wall: holds the road above the valley`,
  'S/Stn': msg`electrical sub-station`,
  'S/H': msg`sub-head: the part of the work named after it`,
  BOQ: msg`bill of quantities: the list in which you quote your rates`,
  CC: msg`cement concrete`,
  DTR: msg`distribution transformer`,
  EMD: msg`earnest money deposit: paid with the bid, returned later`,
  ESD: msg`electrical sub-division`,
  FIS: msg`flow irrigation scheme`,
  GP: msg`gram panchayat`,
  GSB: msg`granular sub-base: the lowest layer of a road`,
  HEP: msg`hydroelectric project`,
  HPC: msg`hume pipe culvert`,
  HPPWD: msg`Public Works Department of Himachal Pradesh`,
  HPSEBL: msg`State Electricity Board of Himachal Pradesh`,
  HT: msg`high tension: 11 kV and more`,
  JSV: msg`Jal Shakti Vibhag: the water department`,
  LIS: msg`lift irrigation scheme`,
  LT: msg`low tension: the line to the houses`,
  LWSS: msg`lift water supply scheme`,
  NH: msg`national highway`,
  NIT: msg`notice inviting tender: one notice may contain many works`,
  PCC: msg`plain cement concrete`,
  PDNA: msg`post-disaster needs assessment: pays for repairs after floods`,
  PMGSY: msg`Pradhan Mantri Gram Sadak Yojana: rural roads`,
  RCC: msg`reinforced cement concrete`,
  RD: msg`reduced distance: the place along the road, in km`,
  RRD: msg`restoration of rain damages`,
  SH: msg`sub-head: the part of the work named after it`,
  SOP: msg`supply of power`,
  STP: msg`sewage treatment plant`,
  WBM: msg`water-bound macadam: a layer of broken stone`,
  WMM: msg`wet mix macadam: a layer of broken stone`,
  WSS: msg`water supply scheme`,
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
  const meaning = meaningByKey.get(form.toLowerCase());
  return meaning && i18n._(meaning);
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
