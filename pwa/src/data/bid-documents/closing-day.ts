/** Texts for the day on which a tender closes. */
import { t } from '@lingui/core/macro';
import { formatTime } from '@nivida/contract/format';
import { HOUR_MS } from '@nivida/contract/time';

const LAST_HOURS = 3;

/** 'Closes today at 11:00 AM.', or 'Less than 3 hours left.' in the last hours. */
export function timeLeftText(closing: Date, now: Date): string {
  const isLast = closing.getTime() - now.getTime() < LAST_HOURS * HOUR_MS;
  return isLast ? t`Less than ${LAST_HOURS} hours left.` : t`Closes today at ${{ time: formatTime(closing) }}.`;
}
