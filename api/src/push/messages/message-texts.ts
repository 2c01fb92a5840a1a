/** Texts of messages, written in the present language when a message is sent. */

import { plural, t } from '@lingui/core/macro';
import { kindNames } from '@nivida/contract/bids/document-kinds';
import { districtsText, formatDate, formatDateTime, indianDay, joinTwo } from '@nivida/contract/format';
import { i18n } from '@nivida/contract/i18n';
import { CHANGED_FIELD_LABELS } from '@nivida/contract/push/alert-kinds';
import { placeName } from '@nivida/contract/regions/states';
import { type Closing, closingLabel } from '@nivida/contract/tenders/closing';
import type { NoticeDelivery } from '../sending/delivery.ts';
import { isResult, type NitGroup, type PushMessage } from './push-messages.ts';
import { truncateGraphemes } from './truncate-graphemes.ts';

const MAX_TITLE_LETTERS = 120;
const MAX_LINE_LETTERS = 90;

/** A title and the lines below it, most important first. */
export interface MessageText {
  title: string;
  lines: string[];
}

/** The text of a message. The title is cut to the length that phones show. */
export function messageText(message: PushMessage, now: Date): MessageText {
  const { title, lines } = TEXT_WRITERS[message.kind](message, now);
  return { title: truncateGraphemes(title, MAX_TITLE_LETTERS), lines };
}

type TextWriter = (message: PushMessage, now: Date) => MessageText;

const toClosing = ({ closesAt: at, closingTimeKnown: timeKnown }: NoticeDelivery): Closing => ({ at, timeKnown });

/** '15 Apr 2026, 11:00 AM', '15 Apr 2026' */
const closingAt = ({ at, timeKnown }: Closing): string => (timeKnown ? formatDateTime(at) : formatDate(at));

const closesText = ({ first }: NitGroup): string => t`closes ${{ closing: closingAt(toClosing(first)) }}`;

const newTendersText = (groups: readonly NitGroup[]): string =>
  plural({ count: totalWorks(groups) }, { one: '# new tender', other: '# new tenders' });

const TEXT_WRITERS: Readonly<Record<PushMessage['kind'], TextWriter>> = {
  closing({ groups }, now) {
    const [{ first }, ...others] = groups as [NitGroup, ...NitGroup[]];
    if (others.length === 0)
      return { title: closingLabel(toClosing(first), now), lines: fullLines(groups[0] as NitGroup) };
    return {
      title: plural({ count: totalWorks(groups) }, { one: '# tender closes soon', other: '# tenders close soon' }),
      lines: groups.map((group) => `${closingLabel(toClosing(group.first), now)}: ${groupName(group)}`),
    };
  },

  changed({ groups }) {
    const [group, ...others] = groups as [NitGroup, ...NitGroup[]];
    if (others.length === 0) {
      const { title, detail } = changeText(group);
      return { title, lines: [...fullLines(group).slice(0, 1), ...detail] };
    }
    return {
      title: plural(
        { count: totalWorks(groups) },
        {
          one: '# bookmarked tender has changed',
          other: '# bookmarked tenders have changed',
        },
      ),
      lines: groups.map((each) => `${changeText(each).title}: ${groupName(each)}`),
    };
  },

  match({ groups }) {
    const names = new Set(groups.map(({ first }) => first.searchName));
    const [name] = names;
    return {
      title: `${newTendersText(groups)}: ${names.size === 1 && name ? name : t`your saved searches`}`,
      lines: groups.map((group) => `${groupName(group)} · ${closesText(group)}`),
    };
  },

  office({ groups }) {
    const { results = [], tenders = [] } = Object.groupBy(groups, ({ first }) =>
      isResult(first) ? 'results' : 'tenders',
    );
    const names = new Set(groups.map(({ first }) => first.detail?.officeName ?? ''));
    const [name] = names;
    const counts = [
      tenders.length > 0 && newTendersText(tenders),
      results.length > 0 && plural({ count: totalWorks(results) }, { one: '# result', other: '# results' }),
    ].filter((count) => count !== false);
    const news = (group: NitGroup) => (isResult(group.first) ? t`result is out` : closesText(group));
    return {
      title: `${joinTwo(counts)}: ${names.size === 1 && name ? name : t`offices you follow`}`,
      lines: [...tenders, ...results].map((group) => `${groupName(group)} · ${news(group)}`),
    };
  },

  document({ groups }, now) {
    const [only, ...others] = groups as [NitGroup, ...NitGroup[]];
    const validity = ({ first: { closesAt } }: NitGroup) => formatDate(closesAt);
    if (others.length > 0)
      return {
        title: plural(
          { count: groups.length },
          {
            one: '# document of your vault expires soon',
            other: '# documents of your vault expire soon',
          },
        ),
        lines: groups.map((group) => `${documentName(group)}: ${validity(group)}`),
      };
    const days = indianDay(only.first.closesAt) - indianDay(now);
    const expires = plural(days, { one: 'expires in # day', other: 'expires in # days' });
    return {
      title: `${documentName(only)}: ${expires}`,
      lines: [t`Valid till ${{ day: validity(only) }}. Renew it before the next bid.`],
    };
  },

  answer({ groups }) {
    return {
      title: t`Support has answered`,
      lines: groups.map(({ first: { detail } }) => truncateGraphemes(detail?.subject ?? '', MAX_LINE_LETTERS)),
    };
  },

  assigned({ news }) {
    const [only, ...others] = news;
    const bidOf = ({ detail }: NoticeDelivery) => [detail?.title, detail?.firm].filter(Boolean).join(' · ');
    if (only && others.length === 0)
      return { title: t`Yours to do: ${{ row: rowName(only.detail?.row) }}`, lines: [bidOf(only)] };
    return {
      title: plural(news.length, {
        one: '# row of a checklist is yours to do',
        other: '# rows of checklists are yours to do',
      }),
      lines: news.map((each) => `${rowName(each.detail?.row)}: ${bidOf(each)}`),
    };
  },
};

const totalWorks = (groups: readonly NitGroup[]): number => groups.reduce((sum, { works }) => sum + works, 0);

/** Title of a tender, or the number of works and their NIT. */
function groupName({ first, works }: NitGroup): string {
  if (works === 1) return truncateGraphemes(first.title, MAX_LINE_LETTERS);
  const nit = truncateGraphemes(first.reference ?? first.sourceId, MAX_LINE_LETTERS / 2);
  return plural(works, { one: `# work in NIT ${nit}`, other: `# works in NIT ${nit}` });
}

/** The name of a checklist's row: that of a kind of document, or the text of the row. */
export function rowName(row = ''): string {
  const kind = kindNames(row)?.en;
  return truncateGraphemes(kind ? i18n._(kind) : row.replace(/^line:/, ''), MAX_LINE_LETTERS);
}

/** The user's name for a document, else the name of its kind. */
function documentName({ first: { detail } }: NitGroup): string {
  const kind = kindNames(detail?.documentKind ?? '')?.en;
  return truncateGraphemes(detail?.title || (kind ? i18n._(kind) : t`A document`), MAX_LINE_LETTERS);
}

/** Lines of a message about one tender: title, and place with id. */
function fullLines(group: NitGroup): string[] {
  const { title, district, secondDistrict, state, sourceId } = group.first;
  const place = districtsText({ district, second_district: secondDistrict }) ?? placeName(state);
  const lines = [truncateGraphemes(title, MAX_TITLE_LETTERS), [place, sourceId].join(' · ')];
  return group.works > 1 ? [groupName(group), ...lines] : lines;
}

function changeText({ first }: NitGroup): { title: string; detail: string[] } {
  const { fields = [], oldClosing = '', newClosing = '' } = first.detail ?? {};
  if (fields.includes('stage')) return { title: t`Tender cancelled or retendered`, detail: [] };
  if (fields.includes('result')) return { title: t`Result is out`, detail: [] };
  const closing = (at: string) => closingAt({ at: new Date(at), timeKnown: first.closingTimeKnown });
  if (oldClosing !== newClosing)
    return {
      title: t`Closing moved to ${{ closing: closing(newClosing) }}`,
      detail: [t`It was ${{ closing: closing(oldClosing) }}`],
    };
  if (fields.length > 0 && fields.every((field) => field === 'values'))
    return {
      title: t`Portal and documents name different estimates`,
      detail: [t`Look which one is right before you bid`],
    };
  const isBack = first.interimClosings?.length && fields.every((field) => field === 'closing_date');
  if (isBack) return { title: t`Closing is again ${{ closing: closing(newClosing) }}`, detail: [] };
  const labels = fields.flatMap((field) => CHANGED_FIELD_LABELS[field] ?? []);
  const named = labels.map((label) => i18n._(label)).join(', ');
  return { title: t`Corrigendum to a tender`, detail: named ? [t`Changed: ${{ fields: named }}`] : [] };
}
