import { t } from '@lingui/core/macro';
import { type BoqItem, isItem, itemPaise } from '@nivida/contract/documents/boq';
import { groupIndian } from '@nivida/contract/format';
import { typedRate } from '@nivida/contract/rates/my-rates';
import { memo, type ReactNode, useState } from 'react';
import { langOf } from '../../ui/words/lang-of.ts';
import css from './Boq.module.css';
import { paiseText } from './boq-texts.ts';

/** Characters that fit into the folded text of a row on a phone. */
const FOLDED_CHARACTERS = 110;

/** A decimal with Indian groups: '1,23,456.5'. */
export function groupedDecimal(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  return `${sign}${groupIndian(whole.replace('-', ''))}${fraction === undefined ? '' : `.${fraction}`}`;
}

function ItemText({ text }: { text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  if (text.length <= FOLDED_CHARACTERS)
    return (
      <p className={css.words} lang={langOf(text)}>
        {text}
      </p>
    );
  return (
    <button type="button" className={css.text} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
      <span lang={langOf(text)}>{text}</span>
    </button>
  );
}

export const rateFieldId = (row: number): string => `rate-${row}`;

interface BoqItemRowProps {
  item: BoqItem;
  /** What stands in the field; undefined for a BOQ without rates of items. */
  typed: string | undefined;
  /** Shown below the field: candidates. */
  children?: ReactNode;
}

/** A line of the BOQ: a heading, or an item with its rate. Typing is handled by the list. */
export const BoqItemRow = memo(function BoqItemRow({ item, typed, children }: BoqItemRowProps) {
  const { row, no, text, unit, quantity, rate } = item;
  if (!isItem(item))
    return (
      <li className={css.heading}>
        <h3 lang={langOf(text)}>
          {no} {text}
        </h3>
      </li>
    );
  const own = typed === undefined ? undefined : typedRate(typed);
  const amount = itemPaise(item, typed === undefined ? rate : (own ?? null));
  const isWrong = typed !== undefined && own === undefined;
  return (
    <li className={css.item} data-row={row}>
      <span className={css.no}>{no}</span>
      <ItemText text={text} />
      <p className={css.quantity}>
        {groupedDecimal(quantity ?? '')} {unit}
        {rate !== null && <> × ₹{groupedDecimal(rate)}</>}
      </p>
      {typed !== undefined && (
        <input
          id={rateFieldId(row)}
          className={css.rate}
          aria-label={t`Rate of item ${{ no: no || String(row) }}`}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? `rate-error-${row}` : undefined}
          inputMode="decimal"
          enterKeyHint="next"
          autoComplete="off"
          placeholder={t`Rate`}
          value={typed}
          // The list handles the input of all its rows.
          onChange={ignoreChange}
        />
      )}
      <p className={css.amount}>{amount === null ? '' : paiseText(amount)}</p>
      {isWrong && (
        <p className={css.error} id={`rate-error-${row}`}>
          {t`Write the rate as a number, such as 110.50`}
        </p>
      )}
      {children}
    </li>
  );
});

function ignoreChange(): void {}
