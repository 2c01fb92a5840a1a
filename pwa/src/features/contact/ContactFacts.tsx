import { t } from '@lingui/core/macro';
import { i18n } from '@nivida/contract/i18n';
import { SUPPORT_CLAIMS } from '@nivida/contract/site/claims';
import { answerTimeText } from '@nivida/contract/support/answer-time';
import { useSite } from '../../data/server/site.ts';
import { Panel } from '../../ui/display/Panel.tsx';
import css from './Contact.module.css';

/**
 * The support's e-mail address, phone number and office hours. A fact that is not configured is not shown.
 */
export function ContactFacts() {
  const { supportEmail, supportPhone, privacyEmail, dpoEmail, legalName, legalAddress, answerHours } = useSite();
  const mails = [
    [t`Support`, supportEmail],
    [t`Privacy`, privacyEmail],
    [t`Data protection officer`, dpoEmail],
  ] as const;
  const { hours } = SUPPORT_CLAIMS;
  const answerTime = answerTimeText(answerHours);
  return (
    <Panel aria-labelledby="reach">
      <h2 id="reach">{t`Reach us`}</h2>
      <dl className={css.facts}>
        {mails.map(
          ([label, address]) =>
            address && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <a href={`mailto:${address}`}>{address}</a>
                </dd>
              </div>
            ),
        )}
        {supportPhone && (
          <div>
            <dt>{t`Telephone`}</dt>
            <dd>
              <a href={`tel:${supportPhone.replace(/[^\d+]/g, '')}`}>{supportPhone}</a>
            </dd>
          </div>
        )}
        {(hours.shown || answerTime !== '') && (
          <div>
            <dt>{t`Support hours`}</dt>
            {hours.shown && <dd>{i18n._(hours.text)}</dd>}
            {answerTime !== '' && <dd>{answerTime}</dd>}
          </div>
        )}
        {(legalName || legalAddress) && (
          <div>
            <dt>{t`Address`}</dt>
            {legalName && <dd>{legalName}</dd>}
            {legalAddress && <dd>{legalAddress}</dd>}
          </div>
        )}
      </dl>
    </Panel>
  );
}
