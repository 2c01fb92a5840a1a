/** Keeps the cells of a row as the file has them, without people and the ways to reach them. */
import { hash } from 'node:crypto';
import { asciiDigits } from '@nivida/contract/digits';
import { readMobile } from '@nivida/contract/fields';
import { truncateText } from '@nivida/contract/format';
import type { SourceCells } from '../source-tender.ts';
import type { GepnicColumn } from './column-lists.ts';

/** A longer cell is cut; '…' marks a cut. */
const MAX_CELL_CHARACTERS = 2_000;
/** Characters of all cells of a row. What follows is '…'. */
const MAX_ROW_CHARACTERS = 20_000;
/** Later columns are left out. */
const MAX_COLUMNS = 300;
const MAX_NAME_CHARACTERS = 200;
/** What is searched beyond a cut, so that half of an address is not shown. */
const MAX_CONTACT_CHARACTERS = 100;

/** Stands for an e-mail address or a mobile number. */
const HIDDEN = '•••';

/** Columns whose numbers are never those of telephones. */
const EXACT_COLUMNS: ReadonlySet<GepnicColumn> = new Set<GepnicColumn>([
  'Tender ID',
  'Tender Reference Number',
  'Tender Value in ₹',
  'EMD Amount in ₹',
  'Tender Fee in ₹',
  'Pincode',
]);

/** Engineers by their short titles, and bidders by their rank. */
const SHORT_TITLES = '(?:jen?|a?ee|aen?|[sc]e|sd[eo]|xen|[lh] ?1)';
/** Words of names of columns with people, after the text is folded. */
const PEOPLE = new RegExp(
  [
    String.raw`\b(?:officers?|officials?|persons?|signator(?:y|ies)|nodal|engineers?|contacts?|inviting authority)\b`,
    String.raw`\b(?:e ?mails?(?: id)?|mobiles?|(?:tele ?)?phones?|tel|fax|whats ?app)\b`,
    String.raw`\b(?:created|published|uploaded|entered|prepared|approved|invited|signed) by\b`,
    String.raw`\b(?:bidder|contractor|supplier|vendor|winner|awardee|tenderer|owner|proprietor|partner|firm|agency|agencie)s?\b`,
    String.raw`\b(?:award|awarded|allotted|issued) to\b`,
    String.raw`\bnames? of (?:the )?${SHORT_TITLES}\b|\b${SHORT_TITLES} names?\b|^${SHORT_TITLES}$`,
    '^(?:full )?(?:name|naam|नाम)$',
    'अधिकारी|अभियंता|संपर्क|सम्पर्क|ठेकेदार|बोलीदाता|निविदादाता|मालिक|मोबाइल|मोबाईल|फ़ोन|फोन|दूरभाष|ईमेल|ई मेल',
  ].join('|'),
);
/** Names that have these words and no people. */
const NO_PEOPLE =
  /^(?:allow preferential bidder|(?:no|number) of (?:bidder|contractor|vendor|firm)s?|(?:bidder|contractor|vendor|firm) (?:class|category|type)|(?:class|category|type) of (?:bidder|contractor|vendor|firm)s?|(?:procuring|implementing|funding) agency(?: name)?)$/;
/** A column of serial numbers: a new row at the top of a list changes all of them. */
const SERIAL_NUMBER =
  /^(?:#|(?:s|sl|sr|ser|serial) ?(?:no|num|number)s?|sl|sr|serial|क्र|क्रम|क्रमांक|क्रम ?(?:संख्या|सं)|क्र ?(?:संख्या|सं))$/;

const foldName = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

function hasPeopleOrSerial(name: string): boolean {
  const folded = foldName(name) || name.trim();
  return SERIAL_NUMBER.test(folded) || (PEOPLE.test(folded) && !NO_PEOPLE.test(folded));
}

const MAIL_SIGN = /@|[[(]at[\])]/i;
/** It begins only where a word does, so that a long word is read once. */
const MAIL = /(?<![\w.+-])[\w.+-]+(?:@|\s*[[(]at[\])]\s*)[\w-]+(?:(?:\.|\s*[[(]dot[\])]\s*)[a-z][\w-]*)+/gi;
/** Ten digits with the usual prefixes and groups. */
const NUMBER = String.raw`(?:(?:\+|00)?91[\s-]{0,2}|0)?(?:[6-9]\d{4}[\s-]?\d{5}|[6-9]\d{2}-\d{3}-\d{4}|[6-9]\d{3}-\d{3}-\d{3})`;
const LANDLINE = String.raw`0\d{2,4}[\s-]?\d{5}`;
/** The end of another telephone number in a list of them. */
const AFTER_NUMBER = String.raw`(?<=(?:\d{5}|\d{3}-\d{3,4})[/-])`;
/** Other digits beside it make a longer number or an id, if they are not of telephones too. */
const MOBILE = new RegExp(
  String.raw`(?=[+06-9])(?:(?<!\d[./-]|[\d_])|${AFTER_NUMBER})${NUMBER}(?:\.0)?(?![\d_]|\.\d|[,/-](?!${NUMBER}|${LANDLINE})\d{1,5}(?!\d))`,
  'g',
);

const isMobile = (text: string): boolean => readMobile(text.replace(/\.0$/, '')) !== undefined;

const hideMobiles = (text: string): string => text.replace(MOBILE, (found) => (isMobile(found) ? HIDDEN : found));

function withoutContacts(text: string, isExact: boolean): string {
  const shown = MAIL_SIGN.test(text) ? text.replace(MAIL, HIDDEN) : text;
  if (isExact) return shown;
  const digits = asciiDigits(shown);
  const hidden = hideMobiles(digits);
  // The digits of a text without a number of a telephone stay as they are.
  return hidden === digits ? shown : hidden;
}

/** The columns of a table whose cells are kept. */
export class SourceColumns {
  /** Their names as a JSON list. */
  readonly names: string;
  readonly digest: string;
  private readonly kept: { position: number; isExact: boolean }[] = [];

  /** `roles` names the columns of a notice for which those at some positions stand. */
  constructor(header: readonly string[], roles: ReadonlyMap<number, GepnicColumn>) {
    const names: string[] = [];
    for (const [position, name] of header.entries()) {
      const role = roles.get(position);
      const isLeftOut = role === undefined ? hasPeopleOrSerial(name) : role === 'Name';
      if (isLeftOut || this.kept.length >= MAX_COLUMNS) continue;
      names.push(truncateText(name.trim(), MAX_NAME_CHARACTERS).replaceAll('\0', '').toWellFormed());
      this.kept.push({ position, isExact: role !== undefined && EXACT_COLUMNS.has(role) });
    }
    this.names = JSON.stringify(names);
    this.digest = digestOf(this.names);
  }

  /** The kept cells of a row as a JSON list, in the order of the names. */
  cellsOf(record: readonly string[]): string {
    let left = MAX_ROW_CHARACTERS;
    const cells = this.kept.map(({ position, isExact }) => {
      const cell = record[position] ?? '';
      if (cell === '') return cell;
      const length = Math.min(MAX_CELL_CHARACTERS, left);
      const text = cutText(withoutContacts(cell.slice(0, length + MAX_CONTACT_CHARACTERS), isExact), length);
      left -= text.length;
      return text;
    });
    return JSON.stringify(cells);
  }

  /** The cells of a row. A text has them already, as a JSON list. */
  row(record: readonly string[] | string, line: number): SourceCells {
    // A text is kept, and not the row: the many small texts of a thousand rows take longer to collect than to join.
    const json = typeof record === 'string' ? record : this.cellsOf(record);
    return { columns: this, line, json, digest: digestOf(this.digest + json) };
  }
}

/** At most `length` characters, and the mark of a cut. */
function cutText(text: string, length: number): string {
  const cut = text.length <= length ? text : `${text.slice(0, Math.max(0, length)).toWellFormed()}…`;
  return cut.includes('\0') ? cut.replaceAll('\0', '') : cut;
}

const digestOf = (text: string): string => hash('sha1', text, 'base64url').slice(0, 16);
