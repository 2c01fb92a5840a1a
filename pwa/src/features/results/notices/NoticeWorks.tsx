import { t } from '@lingui/core/macro';
import { moreWorksText } from '@nivida/contract/format';
import { MAX_LISTED_IDS } from '@nivida/contract/limits';
import type { ListedTender, TenderSummary } from '@nivida/contract/tenders/tender';
import type { ReactNode } from 'react';
import { useId } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { errorMessage } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { useShownLocation } from '../../../ui/browser-state.ts';
import { Icon } from '../../../ui/display/Icon.tsx';
import { Note } from '../../../ui/feedback/Note.tsx';
import { CardListSkeleton } from '../cards/CardList.tsx';
import css from './NoticeWorks.module.css';
import { useWorks } from './works.ts';

/** Number of visible works of each open notice of a list, by the id of its first tender. */
type OpenNotices = Readonly<Record<string, number>>;

/** Open notices are stored in the history entry, so going back opens them again. */
function useOpenNotices(): OpenNotices {
  const { state } = useShownLocation();
  return state?.open ?? {};
}

/** Number of works that open notices show in addition to the entries of the list. */
export const useOpenWorks = (): number => Object.values(useOpenNotices()).reduce((sum, works) => sum + works, 0);

interface NoticeWorksProps {
  /** The first tender of the NIT. */
  first: ListedTender;
  /** The offline pack that listed it. Undefined when the server did. */
  scope: string | undefined;
  renderCards: (works: readonly TenderSummary[]) => ReactNode;
}

/** "and 9 more works of this NIT" below the first work. It opens them in place. */
export function NoticeWorks({ first, scope, renderCards }: NoticeWorksProps) {
  const { _id: id, works = [] } = first;
  const list = useId();
  const open = useOpenNotices();
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const isOpen = id in open;
  const ids = works.slice(0, MAX_LISTED_IDS);
  const { answer, error, isLoading, reload } = useWorks(isOpen ? ids : null, scope);
  function toggle() {
    const { [id]: _closed, ...others } = open;
    const changed = isOpen ? others : { ...others, [id]: ids.length };
    void navigate({ search }, { replace: true, preventScrollReset: true, state: { ...state, open: changed } });
  }
  return (
    <div className={css.works}>
      <button
        type="button"
        className={css.more}
        aria-expanded={isOpen}
        aria-controls={list}
        aria-label={`${moreWorksText(works.length)}: ${first.title}`}
        onClick={toggle}
      >
        <Icon name="down" small />
        {moreWorksText(works.length)}
      </button>
      <div id={list} hidden={!isOpen}>
        {isOpen && isLoading && <CardListSkeleton count={ids.length} isNested />}
        {isOpen && answer && renderCards(answer)}
        {isOpen && !answer && error !== undefined && (
          <Note icon="warning" alert>
            {errorMessage(error, t`Failed to fetch tenders. Please try again later.`)}{' '}
            <Button look="link" onClick={reload}>
              {t`Try Again`}
            </Button>
          </Note>
        )}
      </div>
    </div>
  );
}
