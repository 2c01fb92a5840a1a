/** The tenders for which a document can be read: bids and bookmarks, the most recently used first. */
import { foldText } from '@nivida/contract/search/terms';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { readRecords } from '../../data/records/record-rows.ts';

export interface BidChoice {
  tenderId: string;
  title: string;
  isBid: boolean;
  /** When the bid was last changed or the bookmark was made (milliseconds since 1970). */
  usedAt: number;
}

/** An owner's bids with a tender, and bookmarks. */
export async function readBidChoices(db: DeviceDatabase, owner: string): Promise<BidChoice[]> {
  const choices = new Map<string, BidChoice>();
  for (const { tenderId, at, summary } of await db.bookmarks.where('owner').equals(owner).toArray())
    choices.set(tenderId, { tenderId, title: summary?.title ?? '', isBid: false, usedAt: at });
  for (const { fields, at } of await readRecords(db, owner, 'bid')) {
    const { tenderId, title = '' } = fields;
    if (tenderId === undefined) continue;
    const usedAt = Math.max(at, choices.get(tenderId)?.usedAt ?? 0);
    choices.set(tenderId, { tenderId, title: title || (choices.get(tenderId)?.title ?? ''), isBid: true, usedAt });
  }
  const tenders = await db.tenders.bulkGet([...choices.keys()]);
  for (const row of tenders) {
    const choice = row && choices.get(row.id);
    if (choice) choice.title = row.tender.title;
  }
  return [...choices.values()].sort((one, other) => other.usedAt - one.usedAt);
}

/** The choices whose title has all words, or whose tender has this number. */
export function findChoices(choices: readonly BidChoice[], words: string): BidChoice[] {
  const wanted = foldText(words).split(' ').filter(Boolean);
  return choices.filter(({ title, tenderId }) => {
    const folded = `${foldText(title)} ${tenderId}`;
    return wanted.every((word) => folded.includes(word));
  });
}
