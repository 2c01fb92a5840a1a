import { formatDate, formatDay } from '@nivida/contract/format';
import type { Tender } from '@nivida/contract/tender';
import { Link, useLocation } from 'react-router-dom';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { closingMove } from './facts.ts';
import css from './MovedNote.module.css';

/** The old and the new closing date of the newest corrigendum that moved it; nothing when none did. */
export function MovedNote({ tender, now }: { tender: Tender; now: Date }) {
  const { state } = useLocation();
  const move = closingMove(tender);
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
