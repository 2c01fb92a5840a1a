/** What a notice says, in English and in Hindi, made when it is sent. */

import type { Delivery } from './due.ts';
import { closingDate, closingTitle, countText, cut, type Language, plural } from './grammar.ts';
import type { Group, Message } from './messages.ts';

const TITLE_LETTERS = 120;
const LINE_LETTERS = 90;

/** A title and the lines below it, the most important first. */
export interface Text {
  title: string;
  lines: string[];
}

/** Words for the buttons of a notification. */
export const ACTIONS: Readonly<Record<Language, Record<'open' | 'calendar' | 'unbookmark', string>>> = {
  'en-IN': { open: 'Open', calendar: 'Calendar', unbookmark: 'Remove bookmark' },
  'hi-IN': { open: 'खोलें', calendar: 'कैलेंडर', unbookmark: 'बुकमार्क हटाएँ' },
};

const FIELDS: Readonly<Record<Language, Record<string, string>>> = {
  'en-IN': {
    closing_date: 'closing date',
    opening_date: 'opening date',
    bid_start_date: 'bid start',
    price: 'estimated value',
    emd: 'EMD',
    documents: 'documents',
  },
  'hi-IN': {
    closing_date: 'अंतिम तिथि',
    opening_date: 'खुलने की तिथि',
    bid_start_date: 'बोली शुरू होने की तिथि',
    price: 'अनुमानित लागत',
    emd: 'धरोहर राशि',
    documents: 'दस्तावेज़',
  },
};

/** The text of a message. */
export function textOf(message: Message, language: Language, now: Date): Text {
  const { title, lines } = WRITERS[message.kind](message, language, now);
  return { title: cut(title, TITLE_LETTERS, language), lines };
}

type Writer = (message: Message, language: Language, now: Date) => Text;

const closingOf = ({ closesAt: at, closingTimeKnown: timeKnown }: Delivery) => ({ at, timeKnown });
const isHindi = (language: Language) => language === 'hi-IN';

const WRITERS: Readonly<Record<Message['kind'], Writer>> = {
  closing({ groups }, language, now) {
    const [{ first }, ...others] = groups as [Group, ...Group[]];
    if (others.length === 0)
      return { title: closingTitle(closingOf(first), now, language), lines: whole(groups[0] as Group, language) };
    const count = countOf(groups);
    return {
      title: isHindi(language)
        ? plural(count, '# निविदा जल्द बंद होगी', '# निविदाएँ जल्द बंद होंगी')
        : plural(count, '# tender closes soon', '# tenders close soon'),
      lines: groups.map(
        (group) => `${closingTitle(closingOf(group.first), now, language)}: ${nameOf(group, language)}`,
      ),
    };
  },

  changed({ groups }, language) {
    const [group, ...others] = groups as [Group, ...Group[]];
    if (others.length === 0) {
      const { title, detail } = changeOf(group, language);
      return { title, lines: [...whole(group, language).slice(0, 1), ...detail] };
    }
    const count = countOf(groups);
    return {
      title: isHindi(language)
        ? plural(count, 'आपकी सहेजी # निविदा बदली', 'आपकी सहेजी # निविदाएँ बदलीं')
        : plural(count, '# tender you keep has changed', '# tenders you keep have changed'),
      lines: groups.map((each) => `${changeOf(each, language).title}: ${nameOf(each, language)}`),
    };
  },

  match({ groups }, language) {
    const count = countOf(groups);
    const names = new Set(groups.map(({ first }) => first.searchName));
    const [name] = names;
    const isOne = names.size === 1 && name;
    const closes = ({ first }: Group) =>
      isHindi(language)
        ? `${closingDate(closingOf(first), language)} तक`
        : `closes ${closingDate(closingOf(first), language)}`;
    return {
      title: isHindi(language)
        ? `${plural(count, '# नई निविदा', '# नई निविदाएँ')}: ${isOne ? name : 'आपकी सहेजी खोजें'}`
        : `${plural(count, '# new tender', '# new tenders')}: ${isOne ? name : 'your saved searches'}`,
      lines: groups.map((group) => `${nameOf(group, language)} · ${closes(group)}`),
    };
  },
};

const countOf = (groups: readonly Group[]): number => groups.reduce((sum, { works }) => sum + works, 0);

/** The title of a tender, or how many works of which NIT. */
function nameOf({ first, works }: Group, language: Language): string {
  if (works === 1) return cut(first.title, LINE_LETTERS, language);
  const nit = cut(first.reference ?? first.sourceId, LINE_LETTERS / 2, language);
  return isHindi(language) ? `NIT ${nit} के ${countText(works)} कार्य` : `${countText(works)} works in NIT ${nit}`;
}

/** A notice of one tender: its title whole, and where it is. */
function whole(group: Group, language: Language): string[] {
  const { title, district, state, sourceId } = group.first;
  const place = [district ?? state, sourceId].join(' · ');
  if (group.works > 1) return [nameOf(group, language), cut(title, TITLE_LETTERS, language), place];
  return [cut(title, TITLE_LETTERS, language), place];
}

function changeOf({ first }: Group, language: Language): { title: string; detail: string[] } {
  const { fields = [], oldClosing = '', newClosing = '' } = first.detail ?? {};
  const hindi = isHindi(language);
  if (fields.includes('stage')) return { title: hindi ? 'निविदा रद्द हुई' : 'Tender cancelled', detail: [] };
  if (oldClosing !== newClosing) {
    const timeKnown = first.closingTimeKnown;
    const moved = closingDate({ at: new Date(newClosing), timeKnown }, language);
    const before = closingDate({ at: new Date(oldClosing), timeKnown }, language);
    return hindi
      ? { title: `अब ${moved} तक`, detail: [`पहले: ${before}`] }
      : { title: `Closing moved to ${moved}`, detail: [`It was ${before}`] };
  }
  const named = fields.flatMap((field) => FIELDS[language][field] ?? []).join(', ');
  return {
    title: hindi ? 'निविदा में शुद्धिपत्र' : 'Corrigendum to a tender',
    detail: named ? [hindi ? `बदला: ${named}` : `Changed: ${named}`] : [],
  };
}
