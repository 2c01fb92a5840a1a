import { i18n } from '@nivida/contract/i18n';
import { SUPPORT_CLAIMS } from '@nivida/contract/site/claims';
import { answerTimeText } from '@nivida/contract/support/answer-time';
import { useSite } from '../../data/server/site.ts';

/** How long support usually takes to answer, and its hours. Renders nothing where both are hidden. */
export function SupportTimes() {
  const { answerHours } = useSite();
  const { hours } = SUPPORT_CLAIMS;
  const texts = [answerTimeText(answerHours), hours.shown && i18n._(hours.text)].filter(Boolean);
  return texts.length > 0 && <p className="s muted">{texts.join(' · ')}</p>;
}
