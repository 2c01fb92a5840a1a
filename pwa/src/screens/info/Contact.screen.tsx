import { t } from '@lingui/core/macro';
import { i18n } from '@nivida/contract/i18n';
import { TRIAL_CLAIM } from '@nivida/contract/site/claims';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useSellsNothing } from '../../data/server/site.ts';
import { useSession } from '../../data/session.ts';
import { ContactFacts } from '../../features/contact/ContactFacts.tsx';
import { ContactForm } from '../../features/contact/ContactForm.tsx';
import { Faq } from '../../features/contact/Faq.tsx';
import type { SendToSupport } from '../../features/contact/useContactForm.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { useStartRegistration } from '../account/useAccountActions.ts';
import css from './Contact.module.css';
import info from './Info.module.css';

const sendToSupport: SendToSupport = async (subject, text) =>
  (await import('../../features/support/support-actions.ts')).sendFromContactForm(subject, text);

/** Further links. Signed-in users already have a trial or a plan. */
function NextSteps() {
  const start = useStartRegistration();
  const sellsNothing = useSellsNothing();
  const isSignedIn = useSession() !== null;
  return (
    <Panel stack aria-labelledby="ways">
      <h2 id="ways">{t`Ready to look for tenders?`}</h2>
      {!isSignedIn && TRIAL_CLAIM.shown && !sellsNothing && (
        <p className="muted">{t`${{ sentence: i18n._(TRIAL_CLAIM.text) }}.`}</p>
      )}
      <div className="row">
        {!isSignedIn && (
          <Button onClick={start}>{sellsNothing ? t`Get Started Free` : t`Start Your Free Trial`}</Button>
        )}
        {sellsNothing ? (
          <ButtonLink to="/tenders">{t`View Tenders`}</ButtonLink>
        ) : (
          <ButtonLink to="/pricing">{t`View Pricing`}</ButtonLink>
        )}
      </div>
    </Panel>
  );
}

/** `/contact`: the form, other contacts, frequent questions. */
export function Contact() {
  return (
    <div className={`page stack ${css.contact}`}>
      <PageMeta {...pageText(PAGES['/contact'], useSellsNothing())} />
      <header className={info.lead}>
        <h1>{t`Contact`}</h1>
        <p className="muted">{t`A question, an error, an idea: write to us, even offline.`}</p>
      </header>
      <div className={css.split}>
        <div>
          <ContactForm sendToSupport={sendToSupport} />
          <Faq />
        </div>
        <div>
          <ContactFacts />
          <NextSteps />
        </div>
      </div>
    </div>
  );
}
