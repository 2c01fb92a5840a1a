import { plural, t } from '@lingui/core/macro';
import { type BoqItem, isItem } from '@nivida/contract/documents/boq';
import { hasSearchedWords, itemWords, searchedText } from '@nivida/contract/rates/item-words';
import { typedRate } from '@nivida/contract/rates/my-rates';
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useMemo,
  useState,
} from 'react';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { Field, Input } from '../../ui/form/Field.tsx';
import css from './Boq.module.css';
import { BoqItemRow, rateFieldId } from './BoqItemRow.tsx';
import { itemsText } from './boq-texts.ts';

interface BoqTableProps {
  items: readonly BoqItem[];
  /** The stored rates by row; undefined for a BOQ without rates of items. */
  rates: ReadonlyMap<number, string> | undefined;
  /** Stores a rate; null removes it. */
  onRate: (item: BoqItem, rate: string | null) => void;
  /** Stores pasted rates. */
  onPaste: (rates: readonly [BoqItem, string][]) => void;
  /** Below the field of the row that the user is in. */
  renderBelow: (item: BoqItem, onUse: (rate: string) => void) => ReactNode;
}

/** More lines than a phone shows at once. */
const FIRST_LINES = 30;

/** The shown lines: items that pass the filter, each with the headings above it. */
function shownLines(items: readonly BoqItem[], isShown: (item: BoqItem) => boolean): BoqItem[] {
  const shown: BoqItem[] = [];
  let headings: BoqItem[] = [];
  for (const [index, item] of items.entries()) {
    if (isItem(item)) {
      if (!isShown(item)) continue;
      shown.push(...headings, item);
      headings = [];
    } else if (index > 0 && !isItem(items[index - 1] as BoqItem)) headings.push(item);
    else headings = [item];
  }
  return shown;
}

const rowOf = (target: EventTarget): number | undefined => {
  const row = (target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset.row;
  return row === undefined ? undefined : Number(row);
};

/** Moves the focus to the field of a row. */
export function focusRate(row: number | undefined): void {
  if (row === undefined) return;
  const field = document.getElementById(rateFieldId(row));
  field?.focus();
  field?.scrollIntoView({ block: 'center' });
}

/** The first cell of each pasted line. */
const pastedCells = (text: string): string[] =>
  text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t')[0] ?? '');

/** The lines of a BOQ with search, and a field for the rate of each item. */
export function BoqTable({ items, rates, onRate, onPaste, renderBelow }: BoqTableProps) {
  const [query, setQuery] = useState('');
  // The rows without a rate when the filter was switched on: a row does not vanish while its rate is typed.
  const [blankRows, setBlankRows] = useState<ReadonlySet<number>>();
  // What stands in fields whose text is not that of the stored rate.
  const [typed, setTyped] = useState<ReadonlyMap<number, string>>(new Map());
  const [activeRow, setActiveRow] = useState<number>();
  const searched = useMemo(() => new Map(items.map((item) => [item.row, searchedText(item)])), [items]);
  // Typing does not wait for the list.
  const sought = useDeferredValue(query);
  const shown = useMemo(() => {
    const words = itemWords(sought);
    return shownLines(
      items,
      ({ row }) => (!blankRows || blankRows.has(row)) && hasSearchedWords(searched.get(row) ?? '', words),
    );
  }, [items, sought, blankRows, searched]);
  // A slow phone paints the first lines before it makes the others.
  const lines = useDeferredValue(shown.length, FIRST_LINES);
  const shownItems = shown.filter(isItem);
  const byRow = useMemo(() => new Map(items.map((item) => [item.row, item])), [items]);

  const enter = (row: number, text: string) => {
    const item = byRow.get(row);
    if (!item) return;
    setTyped(new Map(typed).set(row, text));
    const rate = typedRate(text);
    if (rate !== undefined) onRate(item, rate);
  };
  const onInput = ({ target }: FormEvent<HTMLUListElement>) => {
    const row = rowOf(target);
    if (row !== undefined && target instanceof HTMLInputElement) enter(row, target.value);
  };
  // A text that was understood becomes the stored rate; a wrong one stays with its error.
  const onBlur = ({ target }: { target: EventTarget }) => {
    const row = rowOf(target);
    const text = row === undefined ? undefined : typed.get(row);
    if (row === undefined || text === undefined || typedRate(text) === undefined) return;
    const rest = new Map(typed);
    rest.delete(row);
    setTyped(rest);
  };
  const move = (row: number, by: 1 | -1) => {
    const at = shownItems.findIndex((item) => item.row === row);
    focusRate(shownItems[at + by]?.row);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const row = event.target instanceof HTMLInputElement ? rowOf(event.target) : undefined;
    if (row === undefined || !['Enter', 'ArrowDown', 'ArrowUp'].includes(event.key)) return;
    event.preventDefault();
    move(row, event.key === 'ArrowUp' || event.shiftKey ? -1 : 1);
  };
  const paste = (event: ClipboardEvent<HTMLUListElement>) => {
    const row = event.target instanceof HTMLInputElement ? rowOf(event.target) : undefined;
    const cells = pastedCells(event.clipboardData.getData('text/plain'));
    if (row === undefined || cells.length < 2) return;
    event.preventDefault();
    const at = shownItems.findIndex((item) => item.row === row);
    const pasted = shownItems.slice(at, at + cells.length).flatMap((item, index): [BoqItem, string][] => {
      const rate = typedRate(cells[index] ?? '');
      return typeof rate === 'string' ? [[item, rate]] : [];
    });
    setTyped(new Map());
    onPaste(pasted);
  };
  const hasRates = rates !== undefined;
  const allItems = items.filter(isItem).length;
  const toggleBlanks = (isWanted: boolean) =>
    setBlankRows(isWanted ? new Set(items.filter(({ row }) => !rates?.has(row)).map(({ row }) => row)) : undefined);
  return (
    <Panel className={css.table} aria-labelledby="boq-items">
      <h2 id="boq-items">{t`Items`}</h2>
      {allItems > 1 && (
        <div className={css.tools}>
          <Field label={t`Search in the items`}>
            {(control) => (
              <Input
                {...control}
                type="search"
                autoComplete="off"
                value={query}
                onChange={({ target }) => setQuery(target.value)}
              />
            )}
          </Field>
          {hasRates && (
            <Checkbox checked={blankRows !== undefined} onChange={({ target }) => toggleBlanks(target.checked)}>
              {t`Only without my rate`}
            </Checkbox>
          )}
        </div>
      )}
      <p className="xs muted" role="status">
        {shownItems.length < allItems || sought !== ''
          ? plural(shownItems.length, { one: '# item found', other: '# items found' })
          : itemsText(shownItems.length)}
      </p>
      {shownItems.length === 0 && (
        <p className="muted">
          {sought === '' ? t`Every item has your rate.` : t`No item has these words.`}{' '}
          <Button
            look="link"
            onClick={() => {
              setQuery('');
              setBlankRows(undefined);
            }}
          >{t`Show all items`}</Button>
        </p>
      )}
      <ul
        className={css.items}
        onInput={onInput}
        onBlur={onBlur}
        onFocus={({ target }) => setActiveRow(rowOf(target))}
        onKeyDown={onKeyDown}
        onPaste={paste}
      >
        {shown.slice(0, lines).map((item) => (
          <BoqItemRow
            key={item.row}
            item={item}
            typed={hasRates ? (typed.get(item.row) ?? rates.get(item.row) ?? '') : undefined}
          >
            {hasRates && activeRow === item.row && renderBelow(item, (rate) => enter(item.row, rate))}
          </BoqItemRow>
        ))}
      </ul>
    </Panel>
  );
}
