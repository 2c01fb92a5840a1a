import { ButtonLink } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import css from './DashboardComingSoon.module.css';
import { DashboardPage } from './DashboardPage.tsx';

/** The dashboard's pages of planned functions (R62), with a description of each. */
const PAGES = {
  support: {
    title: 'Support',
    coming: [
      'Your questions and our answers in one place',
      'See if your question was answered',
      'Help with what to do first, in Hindi and English',
    ],
  },
} as const;

/** The dashboard page of a planned function. */
export function DashboardComingSoon({ page }: { page: keyof typeof PAGES }) {
  const { title, coming } = PAGES[page];
  return (
    <DashboardPage title={title} description={`What is coming to ${title} on Nivida.`}>
      <Panel stack aria-labelledby="coming">
        <h2 id="coming">What's Coming?</h2>
        <ul className={css.coming}>
          {coming.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
        <p className="s muted">Not ready yet. You can already search, read and bookmark tenders.</p>
        <div className="row">
          <ButtonLink to="/tenders">View Tenders</ButtonLink>
          {page === 'support' && <ButtonLink to="/contact">Contact us</ButtonLink>}
        </div>
      </Panel>
    </DashboardPage>
  );
}
