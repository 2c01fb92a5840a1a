import { t } from '@lingui/core/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useNow } from '../../data/clock.ts';
import { useSellsNothing } from '../../data/server/site.ts';
import { useSession } from '../../data/session.ts';
import { Library } from '../../features/documents/Library.tsx';
import { OrderRows } from '../../features/orders/OrderRows.tsx';
import { refreshOrders, useOrders } from '../../features/orders/orders.ts';
import { CurrentPlan } from '../../features/plans/CurrentPlan.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { DashboardPage } from './DashboardPage.tsx';
import css from './Payments.module.css';

/** A link to the ledger of EMDs, which is on the page of figures of bids. */
function EmdLink() {
  return (
    <Panel stack aria-labelledby="emd">
      <h2 id="emd">{t`EMD and deposits`}</h2>
      <p>{t`What offices hold, what is due back, and what is overdue, with a ready letter.`}</p>
      <div className="row">
        <ButtonLink to="/dashboard/analytics">{t`Money that is locked`}</ButtonLink>
      </div>
    </Panel>
  );
}

function AccountPayments({ userId }: { userId: string }) {
  const now = useNow();
  const list = useOrders(userId);
  const sellsNothing = useSellsNothing();
  // Earlier purchases are shown even where nothing is sold.
  const hasOrders = !sellsNothing || (list.answer?.orders.length ?? 0) > 0;
  return (
    <>
      <Panel stack aria-labelledby="plan">
        <h2 id="plan">{sellsNothing ? t`Alerts and downloads` : t`Your plan`}</h2>
        {list.answer ? (
          <CurrentPlan state={list.answer.plan} now={now} onChange={() => refreshOrders(userId)} />
        ) : (
          list.isLoading && (
            <p aria-busy="true">
              <span className="sr">{t`Loading your plan`}</span>
              <Skeleton>{t`Premium until 15 Apr 2027`}</Skeleton>
            </p>
          )
        )}
        {!list.answer && !list.isLoading && (
          <p className="muted">{sellsNothing ? t`It could not be loaded.` : t`Your plan could not be loaded.`}</p>
        )}
      </Panel>
      <Panel stack aria-labelledby="documents">
        <h2 id="documents">{t`Your documents`}</h2>
        <Library userId={userId} now={now} />
      </Panel>
      {hasOrders && (
        <Panel stack aria-labelledby="orders">
          <h2 id="orders">{t`Orders and receipts`}</h2>
          <OrderRows
            orders={list.answer?.orders}
            list={list}
            now={now}
            empty={
              <>
                <p className="muted">{t`No orders yet. Purchases with this account or its email address appear here.`}</p>
                <div className="row">
                  <ButtonLink to="/tenders">{t`Find tenders`}</ButtonLink>
                  <ButtonLink to="/pricing">{t`See plans`}</ButtonLink>
                </div>
              </>
            }
          />
        </Panel>
      )}
    </>
  );
}

/**
 * `/dashboard/payments`: the plan, the documents and the orders of the signed-in user, with a link to the EMD
 * ledger.
 */
export function Payments() {
  const userId = useSession()?.user._id;
  const sellsNothing = useSellsNothing();
  // After a sign-out the dashboard's frame navigates home.
  if (!userId) return null;
  return (
    <DashboardPage {...pageText(PAGES['/dashboard/payments'], sellsNothing)}>
      <div className={css.sections}>
        <AccountPayments key={userId} userId={userId} />
        <EmdLink />
      </div>
    </DashboardPage>
  );
}
