/** Texts of messages in English and Hindi, written when a message is sent. */

import { kindNames } from '@nivida/contract/bids/document-kinds';
import { formatCount, indianDay } from '@nivida/contract/format';
import { i18n } from '@nivida/contract/i18n';
import { CHANGED_FIELD_LABELS } from '@nivida/contract/push/alert-kinds';
import type { NoticeDelivery } from '../sending/delivery.ts';
import { type AlertLanguage, formatClosing, formatClosingTitle, plural, truncateGraphemes } from './localised-text.ts';
import { isResult, type NitGroup, type PushMessage } from './push-messages.ts';

const MAX_TITLE_LETTERS = 120;
const MAX_LINE_LETTERS = 90;

/** A title and the lines below it, most important first. */
export interface MessageText {
  title: string;
  lines: string[];
}

/** Labels of the buttons of a notification. */
export const ACTION_LABELS: Readonly<Record<AlertLanguage, Record<'open' | 'calendar' | 'unbookmark', string>>> = {
  'en-IN': { open: 'Open', calendar: 'Calendar', unbookmark: 'Remove bookmark' },
  'hi-IN': { open: 'खोलें', calendar: 'कैलेंडर', unbookmark: 'बुकमार्क हटाएँ' },
};

const FIELD_LABELS: Readonly<Record<AlertLanguage, Record<string, string>>> = {
  'en-IN': Object.fromEntries(Object.entries(CHANGED_FIELD_LABELS).map(([field, label]) => [field, i18n._(label)])),
  'hi-IN': {
    closing_date: 'अंतिम तिथि',
    opening_date: 'खुलने की तिथि',
    bid_start_date: 'बोली शुरू होने की तिथि',
    price: 'अनुमानित लागत',
    emd: 'धरोहर राशि',
    documents: 'दस्तावेज़',
  },
};

/** The text of a message in a language. The title is cut to the length that phones show. */
export function messageText(message: PushMessage, language: AlertLanguage, now: Date): MessageText {
  const { title, lines } = TEXT_WRITERS[message.kind](message, language, now);
  return { title: truncateGraphemes(title, MAX_TITLE_LETTERS, language), lines };
}

type TextWriter = (message: PushMessage, language: AlertLanguage, now: Date) => MessageText;

const toClosing = ({ closesAt: at, closingTimeKnown: timeKnown }: NoticeDelivery) => ({ at, timeKnown });
const isHindi = (language: AlertLanguage) => language === 'hi-IN';

const TEXT_WRITERS: Readonly<Record<PushMessage['kind'], TextWriter>> = {
  closing({ groups }, language, now) {
    const [{ first }, ...others] = groups as [NitGroup, ...NitGroup[]];
    if (others.length === 0)
      return {
        title: formatClosingTitle(toClosing(first), now, language),
        lines: fullLines(groups[0] as NitGroup, language),
      };
    const count = totalWorks(groups);
    return {
      title: isHindi(language)
        ? plural(count, '# निविदा जल्द बंद होगी', '# निविदाएँ जल्द बंद होंगी')
        : plural(count, '# tender closes soon', '# tenders close soon'),
      lines: groups.map(
        (group) => `${formatClosingTitle(toClosing(group.first), now, language)}: ${groupName(group, language)}`,
      ),
    };
  },

  changed({ groups }, language) {
    const [group, ...others] = groups as [NitGroup, ...NitGroup[]];
    if (others.length === 0) {
      const { title, detail } = changeText(group, language);
      return { title, lines: [...fullLines(group, language).slice(0, 1), ...detail] };
    }
    const count = totalWorks(groups);
    return {
      title: isHindi(language)
        ? plural(count, 'आपकी सहेजी # निविदा बदली', 'आपकी सहेजी # निविदाएँ बदलीं')
        : plural(count, '# bookmarked tender has changed', '# bookmarked tenders have changed'),
      lines: groups.map((each) => `${changeText(each, language).title}: ${groupName(each, language)}`),
    };
  },

  match({ groups }, language) {
    const count = totalWorks(groups);
    const names = new Set(groups.map(({ first }) => first.searchName));
    const [name] = names;
    const isOne = names.size === 1 && name;
    const closes = ({ first }: NitGroup) =>
      isHindi(language)
        ? `${formatClosing(toClosing(first), language)} तक`
        : `closes ${formatClosing(toClosing(first), language)}`;
    return {
      title: isHindi(language)
        ? `${plural(count, '# नई निविदा', '# नई निविदाएँ')}: ${isOne ? name : 'आपकी सहेजी खोजें'}`
        : `${plural(count, '# new tender', '# new tenders')}: ${isOne ? name : 'your saved searches'}`,
      lines: groups.map((group) => `${groupName(group, language)} · ${closes(group)}`),
    };
  },

  office({ groups }, language) {
    const { results = [], tenders = [] } = Object.groupBy(groups, ({ first }) =>
      isResult(first) ? 'results' : 'tenders',
    );
    const hindi = isHindi(language);
    const names = new Set(groups.map(({ first }) => first.detail?.officeName ?? ''));
    const [name] = names;
    const where = names.size === 1 && name ? name : hindi ? 'आपके चुने कार्यालय' : 'offices you follow';
    const counts = [
      tenders.length > 0 &&
        plural(totalWorks(tenders), hindi ? '# नई निविदा' : '# new tender', hindi ? '# नई निविदाएँ' : '# new tenders'),
      results.length > 0 &&
        plural(totalWorks(results), hindi ? '# परिणाम' : '# result', hindi ? '# परिणाम' : '# results'),
    ].filter((count) => count !== false);
    const about = (group: NitGroup) =>
      isResult(group.first)
        ? hindi
          ? 'परिणाम आ गया'
          : 'result is out'
        : hindi
          ? `${formatClosing(toClosing(group.first), language)} तक`
          : `closes ${formatClosing(toClosing(group.first), language)}`;
    return {
      title: `${counts.join(hindi ? ' और ' : ' and ')}: ${where}`,
      lines: [...tenders, ...results].map((group) => `${groupName(group, language)} · ${about(group)}`),
    };
  },

  document({ groups }, language, now) {
    const hindi = isHindi(language);
    const [only, ...others] = groups as [NitGroup, ...NitGroup[]];
    const validity = ({ first: { closesAt: at } }: NitGroup) => formatClosing({ at, timeKnown: false }, language);
    if (others.length > 0)
      return {
        title: hindi
          ? plural(groups.length, '# दस्तावेज़ की वैधता समाप्त होने वाली है', '# दस्तावेज़ों की वैधता समाप्त होने वाली है')
          : plural(groups.length, '# document of your vault expires soon', '# documents of your vault expire soon'),
        lines: groups.map((group) => `${documentName(group, language)}: ${validity(group)}`),
      };
    const days = indianDay(only.first.closesAt) - indianDay(now);
    const inDays = hindi
      ? plural(days, '# दिन में वैधता समाप्त', '# दिन में वैधता समाप्त')
      : plural(days, 'expires in # day', 'expires in # days');
    return {
      title: `${documentName(only, language)}: ${inDays}`,
      lines: [
        hindi
          ? `${validity(only)} तक वैध। अगली बोली से पहले नवीनीकरण करें।`
          : `Valid till ${validity(only)}. Renew it before the next bid.`,
      ],
    };
  },
};

const totalWorks = (groups: readonly NitGroup[]): number => groups.reduce((sum, { works }) => sum + works, 0);

/** Title of a tender, or the number of works and their NIT. */
function groupName({ first, works }: NitGroup, language: AlertLanguage): string {
  if (works === 1) return truncateGraphemes(first.title, MAX_LINE_LETTERS, language);
  const nit = truncateGraphemes(first.reference ?? first.sourceId, MAX_LINE_LETTERS / 2, language);
  return isHindi(language) ? `NIT ${nit} के ${formatCount(works)} कार्य` : `${formatCount(works)} works in NIT ${nit}`;
}

/** The user's name for a document, else the name of its kind. */
function documentName({ first: { detail } }: NitGroup, language: AlertLanguage): string {
  const hindi = isHindi(language);
  const names = kindNames(detail?.documentKind ?? '');
  const name = detail?.title || (names && (hindi ? names.hi : i18n._(names.en))) || (hindi ? 'दस्तावेज़' : 'A document');
  return truncateGraphemes(name, MAX_LINE_LETTERS, language);
}

/** Lines of a message about one tender: title, and place with id. */
function fullLines(group: NitGroup, language: AlertLanguage): string[] {
  const { title, district, secondDistrict, state, sourceId } = group.first;
  const districts = [district, secondDistrict].filter(Boolean).join(isHindi(language) ? ' और ' : ' and ');
  const place = [districts || state, sourceId].join(' · ');
  if (group.works > 1)
    return [groupName(group, language), truncateGraphemes(title, MAX_TITLE_LETTERS, language), place];
  return [truncateGraphemes(title, MAX_TITLE_LETTERS, language), place];
}

function changeText({ first }: NitGroup, language: AlertLanguage): { title: string; detail: string[] } {
  const { fields = [], oldClosing = '', newClosing = '' } = first.detail ?? {};
  const hindi = isHindi(language);
  if (fields.includes('stage'))
    return { title: hindi ? 'निविदा रद्द हुई या दोबारा जारी हुई' : 'Tender cancelled or retendered', detail: [] };
  if (fields.includes('result')) return { title: hindi ? 'परिणाम आ गया' : 'Result is out', detail: [] };
  const format = (at: string) => formatClosing({ at: new Date(at), timeKnown: first.closingTimeKnown }, language);
  if (oldClosing !== newClosing) {
    const [moved, before] = [format(newClosing), format(oldClosing)];
    return hindi
      ? { title: `अब ${moved} तक`, detail: [`पहले: ${before}`] }
      : { title: `Closing moved to ${moved}`, detail: [`It was ${before}`] };
  }
  const isBack = first.interimClosings?.length && fields.every((field) => field === 'closing_date');
  if (isBack)
    return {
      title: hindi ? `अब फिर ${format(newClosing)} तक` : `Closing is again ${format(newClosing)}`,
      detail: [],
    };
  const named = fields.flatMap((field) => FIELD_LABELS[language][field] ?? []).join(', ');
  return {
    title: hindi ? 'निविदा में शुद्धिपत्र' : 'Corrigendum to a tender',
    detail: named ? [hindi ? `बदला: ${named}` : `Changed: ${named}`] : [],
  };
}
