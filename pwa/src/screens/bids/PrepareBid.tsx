import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Tender } from '@nivida/contract/tenders/tender';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { inPresentSpace } from '../../data/firms/space.ts';
import { bidPath } from '../../features/bids/BidCard.tsx';
import { addBidOn, portalText, removeBid } from '../../features/bids/bid-actions.ts';
import { useDesk } from '../../features/bids/desk.ts';
import { stageOf } from '../../features/bids/rules/bid.ts';
import { stageLabel } from '../../features/bids/rules/stages.ts';
import { useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { setBookmarkAndSend } from '../../features/bookmarks/bookmark-sync.ts';
import { findTenderOnDevice } from '../../offline/packs/local-engines.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { showToast } from '../../ui/feedback/toast.ts';

/**
 * Adds the tender to the user's bids and bookmarks it, so that the bidder gets its alerts. If the bid exists,
 * links to it.
 */
export function PrepareBid({ tender }: { tender: Tender }) {
  const navigate = useNavigate();
  const { rows, error } = useDesk();
  const [isBusy, setIsBusy] = useState(false);
  // Until the bids are read, a bid on this tender may exist.
  const isRead = rows !== undefined || error !== undefined;
  const bid = rows?.bids.find(({ tenderId }) => tenderId === tender._id);

  async function prepare() {
    setIsBusy(true);
    const wasBookmarked = useBookmarkStore.getState().ids.has(tender._id);
    const id = await addBidOn(tender);
    setIsBusy(false);
    if (id === null) return;
    showToast({
      text: t`Added to My Applications and bookmarked, for its alerts.`,
      action: {
        label: t`Undo`,
        run: inPresentSpace(() => {
          void removeBid(id);
          if (!wasBookmarked) void setBookmarkAndSend(tender, false);
          void navigate(`/tenders/${tender._id}#checklist`);
        }),
      },
      passing: true,
    });
    void navigate(bidPath(id));
    await setBookmarkAndSend(tender, true, findTenderOnDevice);
  }

  if (bid)
    return (
      <div className="row">
        <ButtonLink to={bidPath(bid.id)}>{t`Open my bid`}</ButtonLink>
        <p className="s muted">{t`In My Applications: ${{ stage: stageLabel(stageOf(bid)) }}`}</p>
      </div>
    );
  return (
    <div className="row">
      <Button look="main" busy={isBusy || !isRead} onClick={() => void prepare()}>
        {t`Prepare bid`}
      </Button>
      <p className="s muted">
        <Trans>
          Keeps documents, money and result together in My Applications, and bookmarks the tender for its alerts.
        </Trans>{' '}
        {portalText()}
      </p>
    </div>
  );
}
