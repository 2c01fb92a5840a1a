import { t } from '@lingui/core/macro';
import { followedSearchId } from '@nivida/contract/bids/record-ids';
import type { Firm } from '@nivida/contract/firms/firms';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useEffect, useState } from 'react';
import { chooseSpace, firmOf, useRecordOwner } from '../../data/firms/space.ts';
import { errorMessage } from '../../data/server/api.ts';
import { useSession } from '../../data/session.ts';
import { FirmDialog } from '../../features/firms/FirmDialogs.tsx';
import { FirmPanel } from '../../features/firms/FirmPanel.tsx';
import { reloadFirms } from '../../features/firms/firm-calls.ts';
import { LostFirmNotes } from '../../features/firms/LostFirmNotes.tsx';
import { SharedSearches } from '../../features/firms/SharedSearches.tsx';
import { useFirms } from '../../features/firms/useFirms.ts';
import { useSavedSearches } from '../../features/searches/useSavedSearches.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ListError } from '../../ui/feedback/ListError.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { DashboardPage } from '../dashboard/DashboardPage.tsx';
import { FirmPlan } from './FirmPlan.tsx';

/** Gets alerts for a shared search: it becomes one of the user's own. */
function FollowButton({ id, name, query, userId }: { id: string; name: string; query: string; userId: string }) {
  const { searches = [] } = useSavedSearches();
  const ownId = followedSearchId(id, userId);
  if (searches.some((search) => search.id === ownId)) return <span className="s muted">{t`You get alerts`}</span>;
  const follow = async () => {
    const { followSearchAndSend } = await import('../../features/searches/search-actions.ts');
    await followSearchAndSend(ownId, name, query);
  };
  return (
    <Button look="plain" onClick={() => void follow()}>
      {t`Alert me`}
      <span className="sr"> {name}</span>
    </Button>
  );
}

function OneFirm({ firm, userId, isOnly }: { firm: Firm; userId: string; isOnly: boolean }) {
  const isShown = firmOf(useRecordOwner()) === firm.id;
  const isMain = isShown || isOnly;
  return (
    <FirmPanel
      userId={userId}
      firm={firm}
      isMain={isMain}
      plan={<FirmPlan firm={firm} userId={userId} isMain={isMain} />}
      action={
        isShown ? (
          <ButtonLink to="/dashboard/applications">{t`Bids of the firm`}</ButtonLink>
        ) : (
          <Button onClick={() => chooseSpace(firm.id)}>
            {t`Work in this firm`}
            <span className="sr"> {firm.name}</span>
          </Button>
        )
      }
    >
      {isShown && (
        <SharedSearches
          renderFollow={({ id, fields: { name = '', query = '' } }) => (
            <FollowButton id={id} name={name} query={query} userId={userId} />
          )}
        />
      )}
    </FirmPanel>
  );
}

/** `/dashboard/firms`: the user's firms, their members and plans. The list is readable offline. */
export function Firms() {
  const session = useSession();
  const userId = session?.user._id ?? '';
  const { rows: firms, error } = useFirms();
  const [failure, setFailure] = useState<unknown>();
  const [isAdding, setIsAdding] = useState(false);
  const load = () => reloadFirms(userId).then(() => setFailure(undefined), setFailure);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is new at each render
  useEffect(() => {
    if (userId !== '') void load();
  }, [userId]);
  if (!session) return null;
  const add = (
    <Button look={firms?.length === 0 ? 'main' : undefined} aria-haspopup="dialog" onClick={() => setIsAdding(true)}>
      {t`New firm`}
    </Button>
  );
  return (
    <DashboardPage {...pageText(PAGES['/dashboard/firms'])}>
      <LostFirmNotes userId={userId} />
      {failure !== undefined && (
        <ListError
          text={errorMessage(failure, t`Failed to load your firms`)}
          offlineText={t`You are offline. This is the list as it was last loaded.`}
          age={null}
          onRetry={() => void load()}
        />
      )}
      {!firms && error === undefined && <Spinner label={t`Loading your firms`} isScreen />}
      {firms?.length === 0 && (
        <EmptyState title={t`No firm yet.`} actions={add}>
          {t`Up to five people of a firm share its bids, deposits, documents and searches, also without a connection. Your own records stay yours.`}
        </EmptyState>
      )}
      {firms?.map((firm) => (
        <OneFirm key={firm.id} firm={firm} userId={userId} isOnly={firms.length === 1} />
      ))}
      {firms && firms.length > 0 && <div className="row">{add}</div>}
      {isAdding && <FirmDialog userId={userId} onClose={() => setIsAdding(false)} />}
    </DashboardPage>
  );
}
