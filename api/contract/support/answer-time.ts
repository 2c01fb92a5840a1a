/** How long support takes to answer. */
import { plural } from '@lingui/core/macro';
import { i18n } from '../i18n.ts';
import { SUPPORT_CLAIMS } from '../site/claims.ts';

/**
 * 'Usually within 5 hours' for the measured median (`answerHours` of `GET /api/site`); SPEC's promise while too few answers
 * were measured. '' when that promise is hidden.
 */
export function answerTimeText(hours: number | null): string {
  if (hours !== null) return plural(hours, { one: 'Usually within # hour', other: 'Usually within # hours' });
  const { text, shown } = SUPPORT_CLAIMS.response;
  return shown ? i18n._(text) : '';
}
