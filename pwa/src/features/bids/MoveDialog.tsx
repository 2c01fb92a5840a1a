import { t } from '@lingui/core/macro';
import { BID_STAGES } from '@nivida/contract/bids/records';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { HindiGloss } from '../../ui/words/HindiGloss.tsx';
import css from './Bids.module.css';
import { type BidStage, STAGE_LABELS_HINDI, stageLabel } from './rules/stages.ts';

/** Moves a bid to another stage by touch, keyboard and screen reader. */
export function MoveDialog(props: {
  title: string;
  stage: BidStage;
  onMove: (to: BidStage) => void;
  onClose: () => void;
}) {
  const { title, stage, onMove, onClose } = props;
  return (
    <Dialog title={t`Move to`} onClose={onClose}>
      <p className="s muted">{title}</p>
      <ul className={css.moves}>
        {BID_STAGES.map((each) => (
          <li key={each}>
            <Button
              disabled={each === stage}
              onClick={() => {
                onClose();
                onMove(each);
              }}
            >
              <span>
                {stageLabel(each)} <HindiGloss>{STAGE_LABELS_HINDI[each]}</HindiGloss>
                {each === stage && <small> {t`(now)`}</small>}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
