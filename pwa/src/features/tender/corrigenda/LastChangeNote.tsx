import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Tender } from '@nivida/contract/tenders/tender';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Icon } from '../../../ui/display/Icon.tsx';
import { otherSourceSentences } from '../labels.ts';
import { lastChanges, type NotedChange } from './corrigendum-lines.ts';
import css from './LastChangeNote.module.css';

/** A change in one sentence. */
export function ChangeText({ change }: { change: NotedChange }): ReactNode {
  if ('sentence' in change) return change.sentence;
  const { field, old, now, on } = change;
  switch (field) {
    case 'closing_date':
      return (
        <Trans>
          Closing moved from <del>{old}</del> to <ins>{now}</ins>, on {on}.
        </Trans>
      );
    case 'opening_date':
      return (
        <Trans>
          Bid opening moved from <del>{old}</del> to <ins>{now}</ins>, on {on}.
        </Trans>
      );
    case 'bid_start_date':
      return (
        <Trans>
          Start of bids moved from <del>{old}</del> to <ins>{now}</ins>, on {on}.
        </Trans>
      );
    case 'price':
      return (
        <Trans>
          Estimated value changed from <del>{old}</del> to <ins>{now}</ins>, on {on}.
        </Trans>
      );
    case 'emd':
      return (
        <Trans>
          EMD changed from <del>{old}</del> to <ins>{now}</ins>, on {on}.
        </Trans>
      );
  }
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
  const changes = lastChanges(tender, now);
  if (changes.length === 0) return null;
  return (
    <Note label={t`Last change`}>
      {changes.map((change) => (
        <p key={'sentence' in change ? change.sentence : `${change.field} ${change.on}`}>
          <ChangeText change={change} />
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
