import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PLANS, type Plan } from '@nivida/contract/orders/plans';
import { STATES } from '@nivida/contract/regions/states';
import { FREE_PAGE_TEXT, pageText } from '@nivida/contract/site/pages';
import { useSite } from '../../data/server/site.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';

/** What every account gets, line by line. */
function freeLines({ states, downloadsPerMonth, downloadsPerDay }: Plan): string[] {
  const total = STATES.length;
  return [
    t`Search, filters and all tenders, also without a connection`,
    t`Reminders and changes of bookmarked tenders`,
    states === null
      ? t`Alerts of saved searches and followed offices in all ${total} states`
      : t`Alerts of saved searches and followed offices in ${plural(states, { one: '# state', other: '# states' })}`,
    downloadsPerMonth === null
      ? t`Documents of tenders: up to ${downloadsPerDay ?? ''} a day`
      : t`Documents of tenders: up to ${downloadsPerMonth} a month`,
  ];
}

/** Where nothing is sold, this page is shown at the addresses of prices and payments (R81). */
export function FreeHere() {
  const { freePlan } = useSite();
  return (
    <div className="page">
      <PageMeta {...pageText(FREE_PAGE_TEXT)} />
      <div className="column stack">
        <h1>{t`Free here`}</h1>
        <p>{t`Everything is free here. There is nothing to buy, and no one asks for money.`}</p>
        <ul className="list">
          {freeLines(PLANS[freePlan ?? 'enterprise']).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p className="s muted">
          <Trans>Official tender documents are free at the portal that published them; bids are submitted there.</Trans>
        </p>
        <div className="row">
          <ButtonLink look="main" to="/tenders">
            {t`Find tenders`}
          </ButtonLink>
        </div>
      </div>
    </div>
  );
}
