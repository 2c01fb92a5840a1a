/** Amounts in words, by the Indian system: lakh and crore. In the present language; the examples are in English. */
import { t } from '@lingui/core/macro';

const numbers = (): string[] =>
  t({
    message:
      'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen Twenty Twenty-One Twenty-Two Twenty-Three Twenty-Four Twenty-Five Twenty-Six Twenty-Seven Twenty-Eight Twenty-Nine Thirty Thirty-One Thirty-Two Thirty-Three Thirty-Four Thirty-Five Thirty-Six Thirty-Seven Thirty-Eight Thirty-Nine Forty Forty-One Forty-Two Forty-Three Forty-Four Forty-Five Forty-Six Forty-Seven Forty-Eight Forty-Nine Fifty Fifty-One Fifty-Two Fifty-Three Fifty-Four Fifty-Five Fifty-Six Fifty-Seven Fifty-Eight Fifty-Nine Sixty Sixty-One Sixty-Two Sixty-Three Sixty-Four Sixty-Five Sixty-Six Sixty-Seven Sixty-Eight Sixty-Nine Seventy Seventy-One Seventy-Two Seventy-Three Seventy-Four Seventy-Five Seventy-Six Seventy-Seven Seventy-Eight Seventy-Nine Eighty Eighty-One Eighty-Two Eighty-Three Eighty-Four Eighty-Five Eighty-Six Eighty-Seven Eighty-Eight Eighty-Nine Ninety Ninety-One Ninety-Two Ninety-Three Ninety-Four Ninety-Five Ninety-Six Ninety-Seven Ninety-Eight Ninety-Nine',
    comment: 'The numbers from 0 to 99, separated by spaces',
  }).split(' ');

const units = (): string[] =>
  t({ message: 'Crore Lakh Thousand Hundred', comment: 'Units of numbers, separated by spaces' }).split(' ');

const UNIT_SIZES = [10_000_000, 100_000, 1_000, 100];

/** 5899 gives 'Five Thousand Eight Hundred Ninety-Nine'. */
function numberWords(number: number): string {
  const at = UNIT_SIZES.findIndex((size) => number >= size);
  const size = UNIT_SIZES[at];
  if (size === undefined) return numbers()[number] as string;
  const rest = number % size;
  return `${numberWords(Math.floor(number / size))} ${units()[at]}${rest > 0 ? ` ${numberWords(rest)}` : ''}`;
}

/** 9899 paise give 'Rupees Ninety-Eight and Ninety-Nine Paise Only'. */
export function rupeesInWords(paise: number): string {
  const rest = paise % 100;
  const rupees = numberWords(Math.floor(paise / 100));
  return rest > 0 ? t`Rupees ${rupees} and ${{ paise: numberWords(rest) }} Paise Only` : t`Rupees ${rupees} Only`;
}
