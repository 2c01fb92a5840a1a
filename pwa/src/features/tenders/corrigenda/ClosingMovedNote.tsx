import { formatDate, formatDay } from '@nivida/contract/format';
import type { Tender } from '@nivida/contract/tenders/tender';
import { Link, useLocation } from 'react-router-dom';
import { Icon } from '../../../ui/display/Icon.tsx';
import { Note } from '../../../ui/feedback/Note.tsx';
import { lastClosingMove } from '../labels.ts';
import css from './ClosingMovedNote.module.css';

/** Old and new closing date of the newest corrigendum that moved it; renders nothing without one. */
export function ClosingMovedNote({ tender, now }: { tender: Tender; now: Date }) {
  const { state } = useLocation();
  const move = lastClosingMove(tender);
  if (!move) return null;
  return (
    <Note tone="amber">
      <p className={css.title}>
        <Icon name="change" small /> Closing date changed
      </p>
      <dl className={css.dates}>
        <dt>Was</dt>
        <dd>
          <del>{formatDay(move.was, now)}</del>
        </dd>
        <dt>Now</dt>
        <dd>
          <ins>{formatDay(move.now, now)}</ins>
        </dd>
      </dl>
      <p className="xs muted">
        Corrigendum seen {formatDate(move.noticedAt)} ·{' '}
        <Link to="#changes" replace state={state}>
          all changes
        </Link>
      </p>
    </Note>
  );
}
