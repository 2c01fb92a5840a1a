/** A message as a device gets it: never more bytes than every push service takes, never a letter cut in two. */
import type { PushPayload } from '@nivida/contract/push';
import type { Device } from './due.ts';
import { countText } from './grammar.ts';
import type { Message } from './messages.ts';
import { rcptOf } from './subscriptions.service.ts';
import { ACTIONS, textOf } from './texts.ts';

const MOST_BYTES = 2_800;
const MOST_LINES = 8;
const MOST_IDS = 50;
/** Patches go before lines: a device that has them needs no network. */
const LEAST_LINES = 3;

/** The payload as JSON of at most 2,800 bytes. `isShort`: the title alone, for a service that found even that too much. */
export function toPayload(
  message: Message,
  device: Pick<Device, 'recipient' | 'preferences'>,
  site: { origin: string; nid: string; now: Date },
  isShort = false,
): string {
  const { title, lines } = textOf(message, device.preferences.language, site.now);
  const patches = isShort ? [] : patchesOf(message);
  let shown = isShort ? 0 : Math.min(lines.length, MOST_LINES);
  let patched = patches.length;
  for (;;) {
    const body = bodyOf(lines, shown, device.preferences.language);
    const json = JSON.stringify(payload(message, device, site, title, body, patches.slice(0, patched), isShort));
    if (Buffer.byteLength(json) <= MOST_BYTES || (shown === 0 && patched === 0)) return json;
    if (shown > Math.min(LEAST_LINES, lines.length) || patched === 0) shown--;
    else patched--;
  }
}

function bodyOf(lines: string[], shown: number, language: 'en-IN' | 'hi-IN'): string {
  const rest = lines.length - shown;
  const more = language === 'hi-IN' ? `और ${countText(rest)}` : `and ${countText(rest)} more`;
  return [...lines.slice(0, shown), ...(rest > 0 && shown > 0 ? [more] : [])].join('\n');
}

function payload(
  { kind, deliveries, groups, topic, isSilent }: Message,
  { recipient, preferences: { language } }: Pick<Device, 'recipient' | 'preferences'>,
  { origin, nid }: { origin: string; nid: string },
  title: string,
  body: string,
  patches: PushPayload['notification']['data']['patches'],
  isShort: boolean,
): PushPayload {
  const ids = [...new Set(deliveries.map(({ tenderId }) => String(tenderId)))];
  const [only] = groups.length === 1 ? ids : [];
  const page = only === undefined ? `${origin}/notices?n=${nid}` : `${origin}/tenders/${only}?n=${nid}`;
  const words = ACTIONS[language];
  const more: PushPayload['notification']['actions'] =
    ids.length === 1 && !isShort
      ? [
          { action: 'calendar', title: words.calendar, navigate: `${origin}/api/tenders/${only}.ics` },
          ...(kind === 'match' ? [] : [{ action: 'unbookmark' as const, title: words.unbookmark, navigate: page }]),
        ]
      : [];
  return {
    web_push: 8030,
    mutable: true,
    notification: {
      title,
      body,
      lang: language,
      dir: 'ltr',
      tag: topic,
      ...(isSilent && { silent: true }),
      navigate: page,
      actions: [{ action: 'open', title: words.open, navigate: page }, ...more],
      data: { nid, rcpt: rcptOf(recipient), kind, tenderIds: ids.slice(0, isShort ? 1 : MOST_IDS), patches },
    },
  };
}

function patchesOf({ deliveries }: Message): PushPayload['notification']['data']['patches'] {
  return deliveries.flatMap(({ detail, tenderId, version }) =>
    detail
      ? [{ tenderId: String(tenderId), version, oldClosing: detail.oldClosing, newClosing: detail.newClosing }]
      : [],
  );
}
