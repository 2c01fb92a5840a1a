/** Lists of tenders as Atom (RFC 4287). */
import { t } from '@lingui/core/macro';
import { formatRupees } from '@nivida/contract/format';
import { currentLanguage } from '@nivida/contract/i18n';
import { LANGUAGES, pathIn } from '@nivida/contract/languages';
import { placeName } from '@nivida/contract/regions/states';
import { closingText } from '@nivida/contract/tenders/closing';
import { tenderAmount } from '@nivida/contract/tenders/missing-value';
import { portalInfo } from '@nivida/contract/tenders/portals';
import { escapeUTF8 } from 'entities';
import type { FeedTender } from '../../tenders/tenders.service.ts';

/** What a feed is about. */
export interface FeedHead {
  title: string;
  /** What its id ends with. It is the same in each answer. */
  key: string;
  origin: string;
  /** Its own address; absent for a private one, so that a forwarded copy does not have it. */
  self?: string;
  /** Path of the list in the app. */
  page: string;
}

/** The year in which ids of this form began (RFC 4151). */
const TAG_YEAR = '2026';
/** `updated` of a feed without entries. */
const NO_CHANGE = '1970-01-01T00:00:00Z';

/** A feed in the present language. It changes only when its entries do, so that an unchanged one has the same ETag. */
export function atomFeed(tenders: readonly FeedTender[], { title, key, origin, self, page }: FeedHead): string {
  const language = currentLanguage();
  const tag = (rest: string) => xml(`tag:${new URL(origin).hostname},${TAG_YEAR}:${rest}`);
  const updated = tenders
    .map((tender) => tender.updated_at)
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))
    .at(-1);
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${LANGUAGES[language].locale}">`,
    `<id>${tag(key)}</id>`,
    `<title>${xml(`Nivida: ${title}`)}</title>`,
    `<updated>${updated ?? NO_CHANGE}</updated>`,
    '<author><name>Nivida</name></author>',
    ...(self ? [`<link rel="self" type="application/atom+xml" href="${xml(`${origin}${self}`)}"/>`] : []),
    `<link rel="alternate" type="text/html" href="${xml(`${origin}${pathIn(language, page)}`)}"/>`,
    ...tenders.map((tender) =>
      [
        '<entry>',
        // The id of the source stays when a database is filled again.
        `<id>${tag(`${encodeURIComponent(tender.source_portal)}/${encodeURIComponent(tender.source_tender_id)}`)}</id>`,
        `<title>${xml(tender.title)}</title>`,
        `<updated>${tender.updated_at}</updated>`,
        `<published>${tender.published_date}</published>`,
        `<link rel="alternate" type="text/html" href="${xml(`${origin}${pathIn(language, `/tenders/${tender._id}`)}`)}"/>`,
        ...(tender.category ? [`<category term="${xml(tender.category)}"/>`] : []),
        `<summary>${xml(summaryOf(tender))}</summary>`,
        '</entry>',
      ].join(''),
    ),
    '</feed>',
  ];
  return `${lines.join('\n')}\n`;
}

function summaryOf(tender: FeedTender): string {
  const { price, price_text, closing_date, closing_time_known, district, state } = tender;
  const place = [district, state].flatMap((name) => (name ? placeName(name) : [])).join(', ');
  const closing = closingText({ at: new Date(closing_date), timeKnown: closing_time_known });
  const value = price === null ? price_text : formatRupees(price);
  return [
    ...(tender.demonstration ? [t`Demonstration, not a live tender.`] : []),
    t`Closing: ${closing}`,
    ...(value === null ? [] : [t`Value: ${{ amount: value }}`]),
    t`EMD: ${{ amount: tenderAmount(tender.emd, tender) }}`,
    t`Organisation: ${{ name: tender.org_name }}`,
    place,
    t`Tender ID: ${{ id: tender.source_tender_id }}`,
    t`Portal: ${{ name: portalInfo(tender.source_portal).name }}`,
  ].join('\n');
}

/** Text for XML 1.0, which has no place for control characters. */
function xml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
  return escapeUTF8(text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''));
}
