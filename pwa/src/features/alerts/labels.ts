/** Texts of notices and of the state of alerts. */

import { t } from '@lingui/core/macro';
import { formatDate, formatDateTime, moreWorksText } from '@nivida/contract/format';
import { i18n } from '@nivida/contract/i18n';
import { CHANGED_FIELD_LABELS, findAlertKind, type MessageKind } from '@nivida/contract/push/alert-kinds';
import type { Notice } from '@nivida/contract/push/push';
import { closingText } from '@nivida/contract/tenders/closing';
import type { IconName } from '../../ui/display/Icon.tsx';
import type { AlertState } from './alert-state.ts';

const NOTICE_ICONS: Readonly<Record<MessageKind, IconName>> = {
  closing: 'clock',
  changed: 'change',
  match: 'search',
  office: 'chart',
  document: 'document',
  answer: 'help',
  assigned: 'check',
};

/** Texts of a notice: what happened, and a second line. */
interface NoticeLabels {
  icon: IconName;
  what: string;
  detail: string;
}

const closingLine = ({ closingDate, closingTimeKnown: timeKnown }: Notice) =>
  t`Closing: ${{ closing: closingText({ at: new Date(closingDate), timeKnown }) }}`;

function changeLabels(notice: Notice, heading: string): Omit<NoticeLabels, 'icon'> {
  const { patch, fields, closingTimeKnown } = notice;
  if (fields.includes('package'))
    return { what: t`The documents you asked for are available`, detail: closingLine(notice) };
  if (fields.includes('result')) return { what: t`Result is out`, detail: closingLine(notice) };
  if (fields.includes('values'))
    return { what: t`Portal and documents name different estimates`, detail: closingLine(notice) };
  if (fields.includes('stage')) return { what: t`Cancelled or retendered`, detail: t`See what its portal says` };
  const write = closingTimeKnown ? formatDateTime : formatDate;
  if (patch && patch.oldClosing !== patch.newClosing)
    return {
      what: t`Closing moved to ${{ closing: write(patch.newClosing) }}`,
      detail: t`It was ${{ closing: write(patch.oldClosing) }}`,
    };
  const named = fields
    .flatMap((field) => {
      const label = CHANGED_FIELD_LABELS[field];
      return label ? i18n._(label) : [];
    })
    .join(', ');
  return { what: named ? t`Changed: ${{ fields: named }}` : heading, detail: closingLine(notice) };
}

/** The text of a notice. A kind that only a newer server knows gets a general heading. */
export function noticeLabels(notice: Notice, searchNames: ReadonlyMap<string, string>): NoticeLabels {
  const alertKind = findAlertKind(notice.kind);
  if (!alertKind) return { icon: 'bell', what: t`News about this tender`, detail: closingLine(notice) };
  const icon = NOTICE_ICONS[alertKind.message];
  if (alertKind.message === 'changed') return { icon, ...changeLabels(notice, i18n._(alertKind.heading)) };
  if (notice.assignment) {
    const { row, firm } = notice.assignment;
    return { icon, what: t`Yours to do: ${row}`, detail: firm };
  }
  if (notice.office) {
    const { name } = notice.office;
    const what = notice.fields.includes('result') ? t`Result is out: ${name}` : t`New: ${name}`;
    return { icon, what, detail: closingLine(notice) };
  }
  const names = notice.searchIds.flatMap((id) => searchNames.get(id) ?? []).join(', ');
  return { icon, what: names ? t`New: ${{ name: names }}` : i18n._(alertKind.heading), detail: closingLine(notice) };
}

/** How many more works of the same NIT a notice is about; '' for none. */
export function worksLabel({ works }: Notice): string {
  return works <= 1 ? '' : moreWorksText(works - 1);
}

/** One line about the alerts of this device. */
export const alertStateLabel = (state: AlertState): string =>
  ({
    // A non-breaking space reserves the height of the text.
    unknown: '\u00a0',
    unsupported: t`Alerts are not possible in this browser.`,
    install: t`Alerts need the app on the home screen.`,
    denied: t`Alerts are blocked in this browser.`,
    off: t`Alerts are off on this phone.`,
    on: t`Alerts are on: you are told before saved tenders close.`,
  })[state];
