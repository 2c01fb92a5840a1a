import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import css from './Tabs.module.css';

/** One tab. `id` is unique among the tabs. `panel` is rendered only while the tab is selected. */
interface Tab {
  id: string;
  label: string;
  panel: ReactNode;
  /**
   * Loads what the panel needs. Called when a finger or the pointer goes down on the tab, before the tab is
   * selected.
   */
  prepare?: (() => void) | undefined;
}

interface TabsProps {
  /** The subject of the tabs, for screen readers. */
  label: string;
  tabs: readonly Tab[];
  selected: string;
  onSelect: (id: string) => void;
}

/** The index of the tab that a key selects, from the tab at `index` of `count`. Undefined for other keys. */
export function tabIndexForKey(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowLeft') return (index + count - 1) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return undefined;
}

/** Tabs over one panel. Arrow keys, Home and End select. For use inside a `Panel`. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = tabs.find((tab) => tab.id === selected) ?? tabs[0];

  // The first tab is visible without scrolling.
  const scrolledTo = current === tabs[0] ? undefined : current?.id;
  useEffect(() => {
    const row = list.current;
    const tab = scrolledTo === undefined ? null : row?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (row && tab) row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
  }, [scrolledTo]);

  function move(event: KeyboardEvent, index: number) {
    const next = tabIndexForKey(event.key, index, tabs.length);
    const tab = next === undefined ? undefined : tabs[next];
    if (next === undefined || !tab) return;
    event.preventDefault();
    list.current?.querySelectorAll('button')[next]?.focus();
    onSelect(tab.id);
  }

  return (
    <>
      <div className={css.tabs} role="tablist" aria-label={label} ref={list}>
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-controls={`${id}-panel`}
            aria-selected={tab === current}
            tabIndex={tab === current ? 0 : -1}
            onPointerDown={tab.prepare}
            onClick={() => onSelect(tab.id)}
            onKeyDown={(event) => move(event, index)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current?.id}`}>
        {current?.panel}
      </div>
    </>
  );
}
