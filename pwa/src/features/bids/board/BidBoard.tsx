import { t } from '@lingui/core/macro';
import { BID_STAGES } from '@nivida/contract/bids/records';
import { formatCount } from '@nivida/contract/format';
import { type DragEvent, type ReactNode, useState } from 'react';
import { HindiGloss } from '../../../ui/words/HindiGloss.tsx';
import { BidCard } from '../BidCard.tsx';
import type { DeskBid } from '../desk.ts';
import { groupByStage } from '../rules/bid-list.ts';
import { type BidStage, STAGE_LABELS_HINDI, stageLabel } from '../rules/stages.ts';
import css from './BidBoard.module.css';

interface BidBoardProps {
  bids: readonly DeskBid[];
  now: Date;
  /** The stage that is shown on a phone. */
  stage: BidStage;
  onStage: (stage: BidStage) => void;
  onMove: (bid: DeskBid, to: BidStage) => void;
  /** The button that copies the bids of a stage as a message. */
  renderCopy: (stage: BidStage, bids: readonly DeskBid[]) => ReactNode;
}

/** The drag type of a bid's id. Anything else that is dragged is refused. */
const DRAG_TYPE = 'application/x-nivida-bid';

/**
 * The bids by stage. A phone shows one stage at a time. From a width of 60rem there are columns to drag
 * between.
 */
export function BidBoard({ bids, now, stage, onStage, onMove, renderCopy }: BidBoardProps) {
  const groups = groupByStage(bids) as Record<BidStage, DeskBid[]>;
  const [movedId, setMovedId] = useState('');
  const [target, setTarget] = useState<BidStage | null>(null);

  const move = (bid: DeskBid, to: BidStage) => {
    setMovedId(bid.bid.id);
    onMove(bid, to);
  };
  const dragOver = (event: DragEvent, over: BidStage) => {
    if (!event.dataTransfer.types.includes(DRAG_TYPE)) return;
    event.preventDefault();
    setTarget(over);
  };
  const drop = (event: DragEvent, to: BidStage) => {
    event.preventDefault();
    setTarget(null);
    const id = event.dataTransfer.getData(DRAG_TYPE);
    const dropped = bids.find(({ bid }) => bid.id === id);
    if (dropped) onMove(dropped, to);
  };

  return (
    <>
      <fieldset className={css.segments}>
        <legend className="sr">{t`Stage`}</legend>
        {BID_STAGES.map((each) => (
          <button key={each} type="button" aria-pressed={each === stage} onClick={() => onStage(each)}>
            {stageLabel(each)} <b className="num">{formatCount(groups[each].length)}</b>
          </button>
        ))}
      </fieldset>
      <div className={css.board}>
        {BID_STAGES.map((each) => (
          <section
            key={each}
            aria-labelledby={`stage-${each}`}
            data-selected={each === stage || undefined}
            data-target={each === target || undefined}
            onDragOver={(event) => dragOver(event, each)}
            onDragLeave={() => setTarget(null)}
            onDrop={(event) => drop(event, each)}
          >
            <h2 id={`stage-${each}`}>
              {stageLabel(each)} <HindiGloss as="span">{STAGE_LABELS_HINDI[each]}</HindiGloss>{' '}
              <b className="num">{formatCount(groups[each].length)}</b>
            </h2>
            {groups[each].length === 0 && <p className={css.none}>{t`No bid here.`}</p>}
            <ul className={`${css.list} entries`}>
              {groups[each].map((listed) => (
                <li
                  key={listed.bid.id}
                  draggable
                  onDragStart={({ dataTransfer }) => {
                    dataTransfer.setData(DRAG_TYPE, listed.bid.id);
                    dataTransfer.effectAllowed = 'move';
                  }}
                >
                  <BidCard
                    listed={listed}
                    now={now}
                    isMoved={listed.bid.id === movedId}
                    onMove={(to) => move(listed, to)}
                  />
                </li>
              ))}
            </ul>
            {groups[each].length > 0 && <div className="under-list">{renderCopy(each, groups[each])}</div>}
          </section>
        ))}
      </div>
    </>
  );
}
