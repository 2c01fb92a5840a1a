/** Amounts in words, by the Indian system: lakh and crore. */

const ONES =
  'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen'.split(
    ' ',
  );
const TENS = '- - Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety'.split(' ');
const UNITS = [
  [10_000_000, 'Crore'],
  [100_000, 'Lakh'],
  [1_000, 'Thousand'],
  [100, 'Hundred'],
] as const;

/** 5899 gives 'Five Thousand Eight Hundred Ninety-Nine'. */
function numberWords(number: number): string {
  for (const [size, unit] of UNITS) {
    if (number < size) continue;
    const rest = number % size;
    return `${numberWords(Math.floor(number / size))} ${unit}${rest > 0 ? ` ${numberWords(rest)}` : ''}`;
  }
  if (number < 20) return ONES[number] as string;
  const ones = number % 10;
  return `${TENS[Math.floor(number / 10)]}${ones > 0 ? `-${ONES[ones]}` : ''}`;
}

/** 9899 paise give 'Rupees Ninety-Eight and Ninety-Nine Paise Only'. */
export function rupeesInWords(paise: number): string {
  const rest = paise % 100;
  const rupees = `Rupees ${numberWords(Math.floor(paise / 100))}`;
  return rest > 0 ? `${rupees} and ${numberWords(rest)} Paise Only` : `${rupees} Only`;
}
