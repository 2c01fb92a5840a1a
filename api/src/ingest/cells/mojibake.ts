/** Repairs UTF-8 text that a program read as Windows-1252 or Latin-1 and stored again: 'â€“' for '–', 'à¤•' for 'क'. */

/** The characters of Windows-1252 that are not those of Latin-1, with their bytes. */
const WINDOWS_1252 = new Map<string, number>();
const windows1252 = new TextDecoder('windows-1252');
for (let byte = 0x80; byte < 0xa0; byte++) WINDOWS_1252.set(windows1252.decode(Uint8Array.of(byte)), byte);

/** A byte of 0x80 to 0xBF as either encoding shows it. */
const CONTINUATION = `[\\u0080-\\u00bf${[...WINDOWS_1252.keys()].join('')}]`;
/** Characters of two bytes (Latin letters and signs) and of three (Indian scripts, punctuation, currencies, signs). */
const SEQUENCES = new RegExp(
  `[\\u00c2-\\u00c6\\u00cb]${CONTINUATION}|\\u00e0${CONTINUATION}{2}|[\\u00e1\\u00e2\\u00ef]${CONTINUATION}{2}`,
  'gu',
);
/** Characters that an Indian portal may contain. Any other result of a repair is a coincidence. */
const PLAUSIBLE =
  /^[\u00a0-\u017f\u0900-\u0dff\u1cd0-\u1cff\u1e00-\u1eff\u200b-\u200f\u2010-\u2044\u20a0-\u20bf\u2100-\u214f\u2190-\u22ff\u2500-\u25ff\u2713\u2714\ua8e0-\ua8ff\ufb00-\ufb06\ufeff\ufffd]$/u;
/** Bytes of Windows-1252 as Latin-1 shows them. They remain between two rounds. */
const UNFINISHED = /[\u0080-\u009f]/;
/** Maximum number of repairs. A text may have been stored in the wrong encoding more than once. */
const MAX_ROUNDS = 3;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text with every certain case repaired. A case is certain if its bytes are valid UTF-8 of a plausible character. */
export function repairMojibake(text: string): string {
  let repaired = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = repaired;
    repaired = before.replace(SEQUENCES, decodeSequence);
    if (repaired === before) break;
  }
  return !UNFINISHED.test(repaired) || UNFINISHED.test(text) ? repaired : text;
}

function decodeSequence(sequence: string): string {
  const bytes = Uint8Array.from(sequence, (char) => WINDOWS_1252.get(char) ?? char.charCodeAt(0));
  try {
    const character = utf8.decode(bytes);
    return PLAUSIBLE.test(character) || isUnfinished(character) ? character : sequence;
  } catch {
    return sequence;
  }
}

const isUnfinished = (character: string) => UNFINISHED.test(character) || WINDOWS_1252.has(character);
