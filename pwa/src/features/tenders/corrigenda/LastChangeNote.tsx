import type { Tender } from '@nivida/contract/tenders/tender';
import { Link, useLocation } from 'react-router-dom';
import { Icon } from '../../../ui/display/Icon.tsx';
import { type ChangeSentence, lastChanges } from './corrigendum-lines.ts';
import css from './LastChangeNote.module.css';

function Sentence({ start, old, now, end }: ChangeSentence) {
  if (old === null) return `${start}${end}`;
  return (
    <>
      {start} from <del>{old}</del> to <ins>{now}</ins>
      {end}
    </>
  );
}

/** What the last corrigendum changed, from what to what, and when; renders nothing without one. */
export function LastChangeNote({ tender, now }: { tender: Tender; now: Date }) {
  const { state } = useLocation();
  const sentences = lastChanges(tender, now);
  if (sentences.length === 0) return null;
  return (
    <section className={css.change} data-tone="amber" aria-label="Last change">
      <Icon name="change" small />
      <div>
        {sentences.map((sentence) => (
          <p key={sentence.start}>
            <Sentence {...sentence} />
          </p>
        ))}
        <Link to="#changes" replace state={state}>
          All changes
        </Link>
      </div>
    </section>
  );
}
