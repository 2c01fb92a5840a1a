import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import { useNow } from '../../data/clock.ts';
import { BidSummaries } from '../../features/bids/board/BidSummaries.tsx';
import { type DeskBid, deskBids, useDesk } from '../../features/bids/desk.ts';
import { stageOf } from '../../features/bids/rules/bid.ts';
import { groupByStage } from '../../features/bids/rules/bid-list.ts';
import { DashboardBlock } from '../dashboard/DashboardBlock.tsx';
import { useDocumentStates } from './useDocumentStates.ts';

const MAX_SHOWN = 3;

/** Open bids in preparation that close next, from the device. Renders nothing without any. */
export function PreparingBlock() {
  const now = useNow();
  const { rows } = useDesk();
  const preparing = useMemo(() => {
    const bids = rows?.bids.filter((bid) => stageOf(bid) === 'preparing') ?? [];
    // Without such a bid the checklist's code is not loaded.
    return rows && bids.length > 0 ? { ...rows, bids } : undefined;
  }, [rows]);
  const documentsOf = useDocumentStates(preparing);
  const open = preparing && deskBids(preparing, documentsOf, now).filter(({ state }) => state.isOpen);
  if (!open || open.length === 0) return null;
  const bids = groupByStage(open).preparing as DeskBid[];
  return (
    <DashboardBlock title={t`Bids you are preparing`} all={{ to: '/dashboard/applications', label: t`All my bids` }}>
      <BidSummaries bids={bids.slice(0, MAX_SHOWN)} now={now} />
    </DashboardBlock>
  );
}
