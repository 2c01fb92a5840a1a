import { t } from '@lingui/core/macro';
import type { Tender } from '@nivida/contract/tenders/tender';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Icon } from '../../../ui/display/Icon.tsx';
import { otherSourceSentences } from '../labels.ts';
import { type ChangeSentence, lastChanges } from './corrigendum-lines.ts';
import css from './LastChangeNote.module.css';

function Sentence({ start, old, now, end }: ChangeSentence) {
  if (old === null) return `${start}${end}`;
  return (
    <>
      {t`${start} from`} <del>{old}</del> {t`to`} <ins>{now}</ins>
      {end}
    </>
  );
}

function Note({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={css.change} data-tone="amber" aria-label={label}>
      <Icon name="change" small />
      <div>{children}</div>
    </section>
  );
}

/**
 * What the last corrigendum changed, the old and new value, and when. Renders nothing without a corrigendum.
 */
export function LastChangeNote({ tender, now }: { tender: Tender; now: Date }) {
  const { state } = useLocation();
  const sentences = lastChanges(tender, now);
  if (sentences.length === 0) return null;
  return (
    <Note label={t`Last change`}>
      {sentences.map((sentence) => (
        <p key={sentence.start}>
          <Sentence {...sentence} />
        </p>
      ))}
      <Link to="#changes" replace state={state}>
        {t`All changes`}
      </Link>
    </Note>
  );
}

/** Facts of other portals that differ from the tender. Renders nothing without any. */
export function OtherSourcesNote({ tender }: { tender: Tender }) {
  const sentences = otherSourceSentences(tender);
  if (sentences.length === 0) return null;
  return (
    <Note label={t`Other portals`}>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p className="xs">{t`Ask the office which is right.`}</p>
    </Note>
  );
}
