/** The payload of a push, within the size that every push service accepts. */
import { formatCount } from '@nivida/contract/format';
import type { PushPayload } from '@nivida/contract/push/push';
import type { PushDevice } from '../sending/delivery.ts';
import { recipientTag } from '../subscriptions/subscriptions.service.ts';
import { ACTION_LABELS, messageText } from './message-texts.ts';
import { messagePath, type PushMessage } from './push-messages.ts';

const MAX_BYTES = 2_800;
const MAX_LINES = 8;
const MAX_IDS = 50;
/** Lines are dropped first, down to this number; then patches, which save the device a request. */
const MIN_LINES = 3;

/** The payload as JSON of at most 2,800 bytes. `isShort`: only the title; used after a service has answered 413. */
export function createPushPayload(
  message: PushMessage,
  device: Pick<PushDevice, 'recipient' | 'preferences'>,
  site: { origin: string; nid: string; now: Date },
  isShort: boolean,
): string {
  const { title, lines } = messageText(message, device.preferences.language, site.now);
  const patches = isShort ? [] : tenderPatches(message);
  let lineCount = isShort ? 0 : Math.min(lines.length, MAX_LINES);
  let patched = patches.length;
  for (;;) {
    const body = formatBody(lines, lineCount, device.preferences.language);
    const json = JSON.stringify(buildPayload(message, device, site, title, body, patches.slice(0, patched), isShort));
    if (Buffer.byteLength(json) <= MAX_BYTES || (lineCount === 0 && patched === 0)) return json;
    if (lineCount > Math.min(MIN_LINES, lines.length) || patched === 0) lineCount--;
    else patched--;
  }
}

function formatBody(lines: string[], lineCount: number, language: 'en-IN' | 'hi-IN'): string {
  const rest = lines.length - lineCount;
  const more = language === 'hi-IN' ? `और ${formatCount(rest)}` : `and ${formatCount(rest)} more`;
  return [...lines.slice(0, lineCount), ...(rest > 0 && lineCount > 0 ? [more] : [])].join('\n');
}

function buildPayload(
  message: PushMessage,
  { recipient, preferences: { language } }: Pick<PushDevice, 'recipient' | 'preferences'>,
  { origin, nid }: { origin: string; nid: string },
  title: string,
  body: string,
  patches: PushPayload['notification']['data']['patches'],
  isShort: boolean,
): PushPayload {
  const { kind, deliveries, topic, isSilent } = message;
  const ids = [...new Set(deliveries.flatMap(({ tenderId }) => (tenderId === null ? [] : [String(tenderId)])))];
  const [only] = message.groups.length === 1 ? ids : [];
  const page = `${origin}${messagePath(message)}?n=${nid}`;
  const labels = ACTION_LABELS[language];
  const more: PushPayload['notification']['actions'] =
    ids.length === 1 && !isShort
      ? [
          { action: 'calendar', title: labels.calendar, navigate: `${origin}/api/tenders/${only}.ics` },
          ...(kind === 'match' || kind === 'office'
            ? []
            : [{ action: 'unbookmark' as const, title: labels.unbookmark, navigate: page }]),
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
      actions: [{ action: 'open', title: labels.open, navigate: page }, ...more],
      data: { nid, rcpt: recipientTag(recipient), kind, tenderIds: ids.slice(0, isShort ? 1 : MAX_IDS), patches },
    },
  };
}

function tenderPatches({ news }: PushMessage): PushPayload['notification']['data']['patches'] {
  return news.flatMap(({ detail, tenderId, version, interimClosings = [] }) => {
    const { oldClosing, newClosing } = detail ?? {};
    if (!oldClosing || !newClosing) return [];
    const interim = interimClosings.length > 0 && { interimClosings };
    return [{ tenderId: String(tenderId), version, oldClosing, newClosing, ...interim }];
  });
}
