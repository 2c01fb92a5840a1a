import { TRIAL } from '@nivida/contract/claims';
import { PAGES } from '@nivida/contract/pages';
import { useSession } from '../data/session.ts';
import { ContactFacts } from '../features/contact/ContactFacts.tsx';
import { ContactForm } from '../features/contact/ContactForm.tsx';
import { Faq } from '../features/contact/Faq.tsx';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import { Sheet } from '../ui/Sheet.tsx';
import css from './Contact.module.css';
import { useStart } from './start.ts';

/** The ways on; who is signed in has a trial or a plan already. */
function Ways() {
  const start = useStart();
  const isSignedIn = useSession() !== null;
  return (
    <Sheet stack aria-labelledby="ways">
      <h2 id="ways">Ready to look for tenders?</h2>
      {!isSignedIn && TRIAL.shown && <p className="muted">{TRIAL.text}.</p>}
      <div className="row">
        {!isSignedIn && <Button onClick={start}>Start Your Free Trial</Button>}
        <ButtonLink to="/pricing">View Pricing</ButtonLink>
      </div>
    </Sheet>
  );
}

/** `/contact`: the form, whom to reach otherwise, frequent questions. */
export function Contact() {
  return (
    <div className={`page ${css.contact}`}>
      <PageHead {...PAGES['/contact']} />
      <header>
        <h1>Contact</h1>
        <p className="muted">A question, an error, an idea: write to us, also without signal.</p>
      </header>
      <div className={css.split}>
        <div>
          <ContactForm />
          <Faq />
        </div>
        <div>
          <ContactFacts />
          <Ways />
        </div>
      </div>
    </div>
  );
}
