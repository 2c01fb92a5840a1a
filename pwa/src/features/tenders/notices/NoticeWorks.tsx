import { moreWorksText } from '@nivida/contract/format';
import { MAX_LISTED_IDS } from '@nivida/contract/limits';
import type { ListedTender, TenderSummary } from '@nivida/contract/tenders/tender';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { errorMessage } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import { Note } from '../../../ui/feedback/Note.tsx';
import { usePageId } from '../../../ui/HydrateLater.tsx';
import { useShownLocation } from '../../../ui/hydration.ts';
import { CardListSkeleton } from '../cards/CardList.tsx';
import css from './NoticeWorks.module.css';
import { useWorks } from './works.ts';

/** The open notices of a list, by the ids of their first tenders. They are in the history, so back opens them again. */
function useOpenNotices(): [open: readonly string[], setOpen: (open: readonly string[]) => void] {
  const { state } = useShownLocation();
  const { search, state: before } = useLocation();
  const navigate = useNavigate();
  const setOpen = (open: readonly string[]) =>
    void navigate({ search }, { replace: true, preventScrollReset: true, state: { ...before, open } });
  return [Array.isArray(state?.open) ? state.open : [], setOpen];
}

interface NoticeWorksProps {
  /** The first tender of the NIT. */
  first: ListedTender;
  /** The offline pack that listed it; undefined for the server. */
  scope: string | undefined;
  renderCards: (works: readonly TenderSummary[]) => ReactNode;
}

/** "and 9 more works of this NIT" below the first of them; it opens them in place. */
export function NoticeWorks({ first, scope, renderCards }: NoticeWorksProps) {
  const { _id: id, works = [] } = first;
  const list = usePageId();
  const [open, setOpen] = useOpenNotices();
  const isOpen = open.includes(id);
  const ids = works.slice(0, MAX_LISTED_IDS);
  const { answer, error, isLoading, reload } = useWorks(isOpen ? ids : null, scope);
  return (
    <div className={css.works}>
      <button
        type="button"
        className={css.more}
        aria-expanded={isOpen}
        aria-controls={list}
        aria-label={`${moreWorksText(works.length)}: ${first.title}`}
        onClick={() => setOpen(isOpen ? open.filter((each) => each !== id) : [...open, id])}
      >
        <Icon name="down" small />
        {moreWorksText(works.length)}
      </button>
      <div id={list} hidden={!isOpen}>
        {isOpen && isLoading && <CardListSkeleton count={ids.length} isNested />}
        {isOpen && answer && renderCards(answer)}
        {isOpen && !answer && error !== undefined && (
          <Note icon="warning" alert>
            {errorMessage(error, 'Failed to fetch tenders. Please try again later.')}{' '}
            <Button look="link" onClick={reload}>
              Try Again
            </Button>
          </Note>
        )}
      </div>
    </div>
  );
}
