/** Amounts in words, as a bid writes them: crore, lakh, thousand. */
import { t } from '@lingui/core/macro';

/** The words of 0 to 99. Hindi has a word of its own for each. */
const smallNumbers = (): string[] =>
  t({
    message:
      'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four twenty-five twenty-six twenty-seven twenty-eight twenty-nine thirty thirty-one thirty-two thirty-three thirty-four thirty-five thirty-six thirty-seven thirty-eight thirty-nine forty forty-one forty-two forty-three forty-four forty-five forty-six forty-seven forty-eight forty-nine fifty fifty-one fifty-two fifty-three fifty-four fifty-five fifty-six fifty-seven fifty-eight fifty-nine sixty sixty-one sixty-two sixty-three sixty-four sixty-five sixty-six sixty-seven sixty-eight sixty-nine seventy seventy-one seventy-two seventy-three seventy-four seventy-five seventy-six seventy-seven seventy-eight seventy-nine eighty eighty-one eighty-two eighty-three eighty-four eighty-five eighty-six eighty-seven eighty-eight eighty-nine ninety ninety-one ninety-two ninety-three ninety-four ninety-five ninety-six ninety-seven ninety-eight ninety-nine',
    comment: 'The numbers from 0 to 99, separated by spaces',
  }).split(' ');

const units = (): string[] =>
  t({ message: 'crore lakh thousand hundred', comment: 'Units of numbers in words, separated by spaces' }).split(' ');

const UNIT_VALUES = [10_000_000, 100_000, 1_000, 100];

function joinWords(value: number, small: readonly string[], names: readonly string[]): string {
  const parts: string[] = [];
  let rest = value;
  for (const [index, unit] of UNIT_VALUES.entries()) {
    const count = Math.floor(rest / unit);
    if (count > 0) parts.push(`${joinWords(count, small, names)} ${names[index]}`);
    rest %= unit;
  }
  if (rest > 0 || parts.length === 0) parts.push(small[rest] ?? '');
  return parts.join(' ');
}

/** A whole number from 0: 'twelve lakh thirty-four thousand', 'बारह लाख चौंतीस हज़ार'. */
export const numberInWords = (value: number): string => joinWords(value, smallNumbers(), units());

/** Paise from 0 as rupees in words: 'Rupees one lakh and fifty paise only'. */
export function amountInWords(paise: number): string {
  const rupees = numberInWords(Math.floor(paise / 100));
  const rest = paise % 100;
  return rest === 0 ? t`Rupees ${rupees} only` : t`Rupees ${rupees} and ${{ paise: numberInWords(rest) }} paise only`;
}
