import { findPage } from '@nivida/contract/site/pages';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { nextTask } from '../../data/first-screen.ts';
import { isTourDue, noteFirstUse, noteTourSeen } from '../../features/help/tour.ts';
import { hasEnteredText } from '../../ui/form/entered-text.ts';
import { OPEN_POPOVER } from '../../ui/open-popover.ts';
import { loadTour, TourDialog } from '../lazy-help.ts';

/** Pages between two tasks. A visitor's first page and a list that is being read are not among them. */
const PAUSES = ['/tenders', '/dashboard', '/bookmarks'];

const FIELD = 'input, select, textarea';

/** Shows the tour once on this device: after a tender was opened, at the next pause. A navigation closes it. */
export function FirstRunTour() {
  const { pathname, key, state } = useLocation();
  const [openAt, setOpenAt] = useState<string | null>(null);
  useEffect(() => {
    if (findPage(pathname)?.path === '/tenders/:id') noteFirstUse();
    if (!PAUSES.includes(pathname) || state !== null || !isTourDue()) return;
    let isHere = true;
    const show = () => {
      if (!isHere || hasEnteredText() || document.activeElement?.matches(FIELD)) return;
      if (document.querySelector(`dialog[open], ${OPEN_POPOVER}`)) return;
      noteTourSeen();
      setOpenAt(key);
    };
    loadTour()
      .then(nextTask)
      .then(show, () => undefined);
    return () => {
      isHere = false;
    };
  }, [pathname, key, state]);
  return <TourDialog isOpen={openAt === key} onClose={() => setOpenAt(null)} />;
}
