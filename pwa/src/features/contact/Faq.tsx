import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { useSellsNothing } from '../../data/server/site.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import css from './Contact.module.css';

const questionsOfAll = () => [
  {
    question: t`Do I submit my bid here?`,
    answer: (
      <p>
        <Trans>
          No. Nivida is not a government site: it finds tenders and saves them for you. Bids are submitted at the portal
          that published the tender; each tender names it.
        </Trans>
      </p>
    ),
  },
  {
    question: t`What do I pay ₹99 for?`,
    answer: (
      <p>
        <Trans>
          For the document package of one notice (NIT and BOQ): collecting, bundling and delivery. The official
          documents are free at the portal. Searching and reading tenders costs nothing; see what plans add under{' '}
          <Link to="/pricing">plans and prices</Link>.
        </Trans>
      </p>
    ),
  },
  {
    question: t`Does it work without a connection?`,
    answer: (
      <p>
        <Trans>
          Yes. After you have searched a state, all its tenders can be saved on the phone, and searched and read there.
          Bookmarks and saved searches work too. Your changes are sent when the app is open and you have a connection.
        </Trans>
      </p>
    ),
  },
  {
    question: t`How do I know that a closing date is still right?`,
    answer: (
      <p>
        <Trans>
          When a date changes, the tender shows the old and the new date. A saved copy shows when it was last checked.
          The portal decides: check there before you submit.
        </Trans>
      </p>
    ),
  },
];

/** Replaces the question about the price where nothing is sold. */
const freeQuestion = () => ({
  question: t`What does it cost?`,
  answer: (
    <p>
      <Trans>
        Nothing. Search, alerts, bids and documents are free here. The official documents are free at the portal too.
      </Trans>
    </p>
  ),
});

/** Four questions, one open at a time. */
export function Faq() {
  const questions = useSellsNothing() ? questionsOfAll().toSpliced(1, 1, freeQuestion()) : questionsOfAll();
  return (
    <Panel aria-labelledby="faq">
      <h2 id="faq">{t`Frequently asked questions`}</h2>
      <div className={css.faq}>
        {questions.map(({ question, answer }) => (
          <details key={question} name="faq">
            <summary>
              {question} <Icon name="down" small />
            </summary>
            {answer}
          </details>
        ))}
      </div>
      <div className="row">
        <ButtonLink to="/help">{t`How it works, and words of tendering`}</ButtonLink>
      </div>
    </Panel>
  );
}
