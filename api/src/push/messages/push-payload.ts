/** The payload of a push, within the size that every push service accepts. */
import { t } from '@lingui/core/macro';
import { formatCount } from '@nivida/contract/format';
import { currentLanguage, inLanguage } from '@nivida/contract/i18n';
import { languageOfLocale, pathIn } from '@nivida/contract/languages';
import type { PushPayload } from '@nivida/contract/push/push';
import '../../base/texts.ts';
import type { PushDevice } from '../sending/delivery.ts';
import { recipientTag } from '../subscriptions/subscriptions.service.ts';
import { messageText } from './message-texts.ts';
import { messagePath, type PushMessage } from './push-messages.ts';

const MAX_BYTES = 2_800;
const MAX_LINES = 8;
const MAX_IDS = 50;
/** Lines are dropped first, down to this number; then patches, which save the device a request. */
const MIN_LINES = 3;

/**
 * The payload as JSON of at most 2,800 bytes, in the language of the device. `isShort`: only the title; used after a service
 * has answered 413.
 */
export const createPushPayload = (
  message: PushMessage,
  device: Pick<PushDevice, 'recipient' | 'preferences'>,
  site: { origin: string; nid: string; now: Date },
  isShort: boolean,
): string =>
  inLanguage(languageOfLocale(device.preferences.language), () => writePayload(message, device, site, isShort));

function writePayload(
  message: PushMessage,
  device: Pick<PushDevice, 'recipient' | 'preferences'>,
  site: { origin: string; nid: string; now: Date },
  isShort: boolean,
): string {
  const { title, lines } = messageText(message, site.now);
  const patches = isShort ? [] : tenderPatches(message);
  let lineCount = isShort ? 0 : Math.min(lines.length, MAX_LINES);
  let patched = patches.length;
  for (;;) {
    const body = formatBody(lines, lineCount);
    const json = JSON.stringify(buildPayload(message, device, site, title, body, patches.slice(0, patched), isShort));
    if (Buffer.byteLength(json) <= MAX_BYTES || (lineCount === 0 && patched === 0)) return json;
    if (lineCount > Math.min(MIN_LINES, lines.length) || patched === 0) lineCount--;
    else patched--;
  }
}

function formatBody(lines: string[], lineCount: number): string {
  const rest = lines.length - lineCount;
  const more = t`and ${{ count: formatCount(rest) }} more`;
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
  const link = (path: string) => `${origin}${pathIn(currentLanguage(), path)}`;
  const path = messagePath(message);
  const url = new URL(link(path));
  url.searchParams.set('n', nid);
  const page = url.href;
  const more: PushPayload['notification']['actions'] =
    ids.length === 1 && !isShort
      ? [
          // The dialog of the page, because the address of a calendar file names no language.
          { action: 'calendar', title: t`Calendar`, navigate: `${link(`/tenders/${only}`)}#calendar` },
          ...(kind === 'match' || kind === 'office'
            ? []
            : [{ action: 'unbookmark' as const, title: t`Remove bookmark`, navigate: page }]),
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
      actions: [{ action: 'open', title: t({ message: 'Open', context: 'button' }), navigate: page }, ...more],
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
