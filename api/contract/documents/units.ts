/** Units of work in one spelling, so that 'Cu.M.', 'm³' and 'Cubic Metre' are equal. */
import { asciiDigits } from '../digits.ts';

const METRES = ['m', 'mt', 'mtr', 'meter', 'metre', 'मीटर'];
const FEET = ['ft', 'foot', 'feet'];
const combined = (prefixes: string[], names: string[]): string[] =>
  prefixes.flatMap((prefix) => names.map((name) => prefix + name));
const SQUARE = ['sq', 'sqr', 'square', 'वर्ग'];
const CUBIC = ['cu', 'cub', 'cubic', 'घन'];
const RUNNING = ['r', 'run', 'rg', 'running', 'l', 'lin', 'linear', 'लंबाई', 'रनिंग'];

/** The unit that is stored and compared, and how files write it: small letters, without dots and spaces, singular. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  m: ['m', 'mtr', 'meter', 'metre', 'मीटर', 'मी', 'rm', ...combined(RUNNING, METRES)],
  sqm: [...combined(SQUARE, METRES), 'm2', 'mtr2', 'msq', 'वर्गमी'],
  cum: [...combined(CUBIC, METRES), 'm3', 'mtr3', 'mcu', 'घनमी'],
  km: ['km', 'kmtr', 'kilometer', 'kilometre', 'किमी', 'किलोमीटर'],
  ft: [...FEET, ...combined(RUNNING, FEET), 'फुट', 'फीट'],
  sqft: [...combined(SQUARE, FEET), 'sft', 'ft2', 'वर्गफुट', 'वर्गफीट'],
  cft: [...combined(CUBIC, FEET), 'cft', 'ft3', 'घनफुट', 'घनफीट'],
  kg: ['kg', 'kgm', 'kilo', 'kilogram', 'kilogramme', 'किग्रा', 'किलो', 'किलोग्राम'],
  quintal: ['quintal', 'qtl', 'qntl', 'quntal', 'qtle', 'क्विंटल', 'कुंतल'],
  tonne: ['tonne', 'ton', 'mton', 'mtonne', 'metricton', 'metrictonne', 'टन', 'मीट्रिकटन'],
  litre: ['litre', 'liter', 'ltr', 'lit', 'l', 'लीटर'],
  kl: ['kl', 'kilolitre', 'kiloliter', 'kltr', 'kilolitr'],
  no: ['no', 'number', 'num', 'each', 'ea', 'piece', 'pc', 'nag', 'नग', 'संख्या', 'अदद'],
  hectare: ['hectare', 'ha', 'hect', 'हेक्टेयर'],
  'lump sum': ['lumpsum', 'lumsum', 'lumpsump', 'lumpsome', 'ls', 'एकमुश्त'],
  day: ['day', 'दिन'],
  month: ['month', 'mth', 'माह', 'महीना'],
  hour: ['hour', 'hr', 'घंटा', 'घण्टा'],
};
const UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries(SPELLINGS).flatMap(([unit, spellings]) => spellings.map((spelling) => [spelling, unit] as const)),
);

const COUNT_WORDS: Readonly<Record<string, number>> = { '%': 100, '‰': 1000, hundred: 100, thousand: 1000, one: 1 };
/** 'per', and then a number of units: '100', '10.00', '1,000', '%', 'hundred'. */
const START = /^(?:(?:per|प्रति)(?![\p{L}\p{M}]))?[\s/]*(\d[\d,]*(?:\.\d+)?|%|‰|(?:hundred|thousand|one)\b)?(.*)$/su;

const singular = (word: string): string => word.replace(/(?<=[a-z]{2})(?<!s)s$/, '');

/**
 * One spelling for a unit: 'cum' for 'Cu.M.' and 'per Cubic Metre', '100 sqm' for '100 Sq.Mtr'. A unit that is not listed is
 * its own, in small letters and singular. Null for a text without a letter.
 *
 * 'mt' can be metre or metric tonne, so it equals no other unit; 'MT' and 'M.T.' are tonnes.
 */
export function normalUnit(text: string): string | null {
  const plain = asciiDigits(text.normalize('NFKC')).trim();
  const [, count = '1', rest = ''] = START.exec(plain.toLowerCase()) ?? [];
  const words = rest
    .replace(/\./g, '')
    .split(/[^\p{L}\p{M}\d]+/u)
    .filter((word) => word !== '');
  if (!/\p{L}/u.test(rest) || words.length === 0) return null;
  const key = words.join('');
  const unit =
    key === 'mt' && /M\.?\s?T/.test(plain)
      ? 'tonne'
      : (UNITS.get(key) ?? UNITS.get(singular(key)) ?? words.map(singular).join(' '));
  const units = COUNT_WORDS[count] ?? Number(count.replaceAll(',', ''));
  return units === 1 ? unit : `${units} ${unit}`;
}
