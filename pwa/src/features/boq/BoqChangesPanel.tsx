import { plural, t } from '@lingui/core/macro';
import { type BoqItem, isItem } from '@nivida/contract/documents/boq';
import type { BoqChanges } from '@nivida/contract/documents/tender-reading';
import { truncateText } from '@nivida/contract/format';
import type { ReactNode } from 'react';
import { Disclosure } from '../../ui/display/Disclosure.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import css from './Boq.module.css';
import { groupedDecimal } from './BoqItemRow.tsx';
import { paiseText } from './boq-texts.ts';

const MAX_TEXT = 120;

const quantityText = ({ quantity, unit }: BoqItem): string =>
  quantity === null ? '' : [groupedDecimal(quantity), unit].filter(Boolean).join(' ');

function Line({ item, children }: { item: BoqItem; children: ReactNode }) {
  return (
    <li>
      <p>
        <strong className="num">{children}</strong>
      </p>
      <p className="s" lang={langOf(item.text)}>
        {item.no} {truncateText(item.text, MAX_TEXT)}
      </p>
    </li>
  );
}

/** What a corrigendum changed in the BOQ, and what that costs at the bidder's rates. */
export function BoqChangesPanel({ changes, costPaise }: { changes: BoqChanges; costPaise: number | null }) {
  const { added, removed, changed } = changes;
  const counts = [
    added.length > 0 && plural(added.length, { one: '# line added', other: '# lines added' }),
    removed.length > 0 && plural(removed.length, { one: '# line removed', other: '# lines removed' }),
    changed.length > 0 && plural(changed.length, { one: '# line changed', other: '# lines changed' }),
  ].filter(Boolean);
  if (counts.length === 0) return null;
  const cost = costPaise === null ? null : paiseText(Math.abs(costPaise));
  return (
    <Panel aria-labelledby="boq-changes" stack>
      <h2 id="boq-changes">{t`Changed by a corrigendum`}</h2>
      <p>{counts.join(', ')}</p>
      {cost !== null && costPaise !== null && costPaise !== 0 && (
        <p>{costPaise > 0 ? t`At your rates: ${cost} more.` : t`At your rates: ${cost} less.`}</p>
      )}
      <Disclosure title={t`Show the lines`}>
        <ul className={css.findings}>
          {added.map((item) => (
            <Line key={`added ${item.row}`} item={item}>
              {isItem(item) ? t`New: ${quantityText(item)}` : t`New`}
            </Line>
          ))}
          {changed.map(({ before, after }) => (
            <Line key={`changed ${after.row}`} item={after}>
              {before.text === after.text
                ? t`${{ before: quantityText(before) }} is now ${{ after: quantityText(after) }}`
                : t`Before: ${{ text: truncateText(before.text, MAX_TEXT) }}`}
            </Line>
          ))}
          {removed.map((item) => (
            <Line key={`removed ${item.row}`} item={item}>
              {isItem(item) ? t`Removed: ${quantityText(item)}` : t`Removed`}
            </Line>
          ))}
        </ul>
      </Disclosure>
    </Panel>
  );
}
