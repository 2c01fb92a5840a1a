/** English numbers in words, as beside figures: "Twelve Lakh Three Thousand". */

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES = new Map([
  ['thousand', 1_000],
  ['lakh', 100_000],
  ['lac', 100_000],
  ['crore', 10_000_000],
]);

/** The whole number; null when another word or none is among them. */
export function numberOfWords(text: string): number | null {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  let total = 0;
  let part = 0;
  let count = 0;
  for (const word of words) {
    if (word === 'and' || word === 'only') continue;
    const singular = word.replace(/s$/, '');
    const small = SMALL.indexOf(word);
    const ten = TENS.indexOf(word === 'fourty' ? 'forty' : word === 'ninty' ? 'ninety' : word);
    const scale = SCALES.get(singular);
    if (small !== -1) part += small;
    else if (ten !== -1) part += (ten + 2) * 10;
    else if (singular === 'hundred') part = (part || 1) * 100;
    else if (scale !== undefined) {
      total += (part || 1) * scale;
      part = 0;
    } else return null;
    count += 1;
  }
  return count === 0 ? null : total + part;
}
