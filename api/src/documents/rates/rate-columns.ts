/** Finds the columns of a schedule of rates by their names. */
import { OperatorError } from '../../base/operator-error.ts';

export const RATE_ROLES = ['code', 'text', 'unit', 'rate'] as const;
export type RateRole = (typeof RATE_ROLES)[number];

/** The position of each column; -1 for a table without codes. */
export type RateColumns = Record<RateRole, number>;

/** Rows that may stand above the header. */
const MAX_TITLE_ROWS = 30;

/** Names of columns, folded. A column of an earlier pattern is preferred; two of the same pattern are unclear. */
const NAMES: Readonly<Record<RateRole, readonly RegExp[]>> = {
  code: [
    /^(?:(?:item|sor|dsr|csr|hpsr|ref(?:erence)?|analysis|specification)?code(?:no|number)?|कोड)$/,
    /^(?:item|sor|dsr|csr|hpsr|ref(?:erence)?)(?:no|number)$/,
    /^(?:s|sr|sl|serial)(?:no|number)?$|^(?:no|number|क्रसं|क्रमसंख्या|क्रमांक)$/,
  ],
  text: [
    /^(?:item)?descriptions?(?:of(?:the)?(?:items?|works?|articles?))?$|^विवरण$|^(?:कार्य|मद)काविवरण$/,
    /^(?:particulars?|nameof(?:the)?(?:items?|works?)|detailsof(?:items?|works?)|specifications?)$/,
    /^(?:items?|details|मद)(?:of(?:works?))?$/,
  ],
  unit: [/^(?:units?|uom|unitof(?:measure|measurement|rate|quantity)|इकाई|यूनिट)$/, /^per$/],
  rate: [/rate|दर$|^दर|^(?:amount|price|unitprice)(?:in)?(?:rs|inr|rupees)?$/],
};
/** A rate in words, a per cent or another amount of money than rupees. */
const NO_RATE = /words|शब्द|percent|%|perunitof/;
const OTHER_MONEY = /lakh|lac|crore|thousand|paise|usd/;

const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}%]+/gu, '');

const columnsOf = (names: readonly string[], role: RateRole): number[] => {
  const own = names.map(folded);
  for (const pattern of NAMES[role]) {
    const found = own.flatMap((name, at) =>
      pattern.test(name) && !(role === 'rate' && NO_RATE.test(name)) ? [at] : [],
    );
    if (found.length > 0) return found;
  }
  return [];
};

/**
 * The header among the first rows and its columns. `stated` names columns for roles and is not guessed. Throws
 * OperatorError with the reason when there is no header or a column is unclear.
 */
export function findRateColumns(
  rows: readonly (readonly string[])[],
  stated: Readonly<Partial<Record<RateRole, string>>> = {},
): { header: number; columns: RateColumns } {
  const candidates = (names: readonly string[], role: RateRole) => {
    const name = stated[role];
    return name === undefined
      ? columnsOf(names, role)
      : names.flatMap((each, at) => (folded(each) === folded(name) ? [at] : []));
  };
  const header = rows
    .slice(0, MAX_TITLE_ROWS)
    .findIndex((names) => (['text', 'unit', 'rate'] as const).every((role) => candidates(names, role).length > 0));
  if (header === -1)
    throw new OperatorError(
      'no row of the first 30 names a description, a unit and a rate; name the columns with --column "NAME=text", "NAME=unit" and "NAME=rate"',
    );
  const names = rows[header] ?? [];
  const columns = { code: -1, text: -1, unit: -1, rate: -1 };
  for (const role of RATE_ROLES) {
    const found = candidates(names, role);
    if (found.length > 1) {
      const list = found.map((at) => `"${names[at]?.trim()}"`).join(', ');
      throw new OperatorError(
        `it is unclear which column is the ${role}: ${list}; name one with --column "NAME=${role}"`,
      );
    }
    columns[role] = found[0] ?? -1;
  }
  if (stated.code !== undefined && columns.code === -1) throw new OperatorError(`there is no column "${stated.code}"`);
  const money = OTHER_MONEY.exec(folded(names[columns.rate] ?? ''));
  if (money) throw new OperatorError(`the rates are in ${money[0]}; give them in rupees`);
  if (new Set(Object.values(columns)).size < RATE_ROLES.length)
    throw new OperatorError('one column has two roles; name the columns with --column');
  return { header, columns };
}
