import { plural } from '@lingui/core/macro';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import disclosure from '../../ui/display/Disclosure.module.css';

export type Fold = 'done' | 'not needed';
const FOLDS: readonly Fold[] = ['done', 'not needed'];

const foldTitle = (fold: Fold, count: number): string =>
  fold === 'done' ? plural(count, { other: '# done' }) : plural(count, { other: '# not needed' });

/** The folds that are open. They stay open when the user leaves their tab and returns. */
const openFolds = new Set<string>();

interface FoldedRowsProps<Row> {
  tenderId: string;
  className?: string | undefined;
  rows: readonly Row[];
  /** Undefined when the row needs more work. */
  foldOf: (row: Row) => Fold | undefined;
  /** Renders a list item with a checkbox. */
  renderRow: (row: Row) => ReactNode;
}

/**
 * Rows of a checklist. Rows that need no more work are folded behind their number, '3 done'. All are open
 * when printed.
 */
export function FoldedRows<Row extends { key: string }>(props: FoldedRowsProps<Row>) {
  const { tenderId, className, rows, foldOf, renderRow } = props;
  const open = rows.filter((row) => foldOf(row) === undefined);
  const parts = useRef<HTMLDivElement>(null);
  const noteMark = useFocusOfMovedRow(parts, open);
  return (
    <div ref={parts} onChangeCapture={noteMark}>
      <ul className={className}>{open.map(renderRow)}</ul>
      {FOLDS.map((fold) => {
        const folded = rows.filter((row) => foldOf(row) === fold);
        return (
          folded.length > 0 && (
            <FoldOfRows key={fold} name={`${tenderId} ${fold}`} title={foldTitle(fold, folded.length)}>
              <ul className={className}>{folded.map(renderRow)}</ul>
            </FoldOfRows>
          )
        );
      })}
    </div>
  );
}

function FoldOfRows({ name, title, children }: { name: string; title: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(openFolds.has(name));
  const fold = useRef<HTMLDetailsElement>(null);
  useOpenInPrint(fold);
  const toggle = (next: boolean) => {
    if (next) openFolds.add(name);
    else openFolds.delete(name);
    setIsOpen(next);
  };
  return (
    <details
      className={disclosure.disclosure}
      open={isOpen}
      ref={fold}
      onToggle={({ currentTarget }) => toggle(currentTarget.open)}
    >
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** Opens a fold while the browser prints. */
function useOpenInPrint(fold: { current: HTMLDetailsElement | null }) {
  useEffect(() => {
    const { current } = fold;
    let wasOpen = false;
    const open = () => {
      wasOpen = current?.open === true;
      current?.setAttribute('open', '');
    };
    const restore = () => void current?.toggleAttribute('open', wasOpen);
    window.addEventListener('beforeprint', open);
    window.addEventListener('afterprint', restore);
    return () => {
      window.removeEventListener('beforeprint', open);
      window.removeEventListener('afterprint', restore);
    };
  }, [fold]);
}

/**
 * Sets the focus again when a marked row moves and loses it: to a row that needs work again, or to the row
 * that follows the removed one. Returns the function to call when the user marks a row.
 */
function useFocusOfMovedRow(parts: { current: HTMLElement | null }, open: readonly { key: string }[]) {
  const keys = open.map(({ key }) => key);
  const before = useRef(keys);
  const isMarked = useRef(false);
  useEffect(() => {
    const earlier = before.current;
    before.current = keys;
    if (earlier.join('\n') === keys.join('\n')) return;
    const isLost = isMarked.current && document.activeElement === document.body;
    isMarked.current = false;
    if (!isLost) return;
    const added = keys.findIndex((key) => !earlier.includes(key));
    const removed = earlier.findIndex((key) => !keys.includes(key));
    const at = added >= 0 ? added : Math.min(removed, keys.length - 1);
    const row = parts.current?.firstElementChild?.children[at];
    const target = row?.querySelector('input') ?? parts.current?.querySelector('summary');
    target?.focus({ preventScroll: true });
  });
  return () => {
    isMarked.current = true;
  };
}
