import { t } from '@lingui/core/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { ButtonLink } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { DashboardPage } from './DashboardPage.tsx';
import css from './Support.module.css';

/** `/dashboard/support`: says that the function is planned (R62). */
export function Support() {
  return (
    <DashboardPage {...pageText(PAGES['/dashboard/support'])}>
      <Panel stack aria-labelledby="coming">
        <h2 id="coming">{t`What's Coming?`}</h2>
        <ul className={css.coming}>
          <li>{t`Your questions and our answers in one place`}</li>
          <li>{t`See if your question was answered`}</li>
          <li>{t`Help with what to do first, in Hindi and English`}</li>
        </ul>
        <p className="s muted">{t`Not ready yet. You can already search, read and bookmark tenders.`}</p>
        <div className="row">
          <ButtonLink to="/tenders">{t`View Tenders`}</ButtonLink>
          <ButtonLink to="/help">{t`How it works, and words of tendering`}</ButtonLink>
          <ButtonLink to="/contact">{t`Contact us`}</ButtonLink>
        </div>
      </Panel>
    </DashboardPage>
  );
}
