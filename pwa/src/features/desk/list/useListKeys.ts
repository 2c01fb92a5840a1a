import { type RefObject, useEffect } from 'react';

interface ListKeys {
  onHelp: () => void;
  onClose: () => void;
}

/** True while keys belong to a field or to an open dialog. */
function isTyping(target: EventTarget | null): boolean {
  const element = target instanceof Element ? target : null;
  return element?.closest('input, select, textarea, [contenteditable], dialog') !== null && element !== null;
}

/** Moves the focus to the row below or above the present one; without one to the opened or the first row. */
function moveFocus(frame: HTMLElement, step: 1 | -1): void {
  const rows = [...frame.querySelectorAll<HTMLElement>('[data-row]')];
  const focused = rows.indexOf(document.activeElement as HTMLElement);
  const present = focused < 0 ? rows.findIndex((row) => row.hasAttribute('aria-current')) : focused;
  rows[present < 0 ? 0 : Math.min(Math.max(present + step, 0), rows.length - 1)]?.focus();
}

/**
 * The keys of a list: j and k move between rows, Enter opens one (it is a link), e begins the main act of the opened row,
 * / goes to the search, Escape closes the opened row, ? explains the keys.
 */
export function useListKeys(frame: RefObject<HTMLElement | null>, { onHelp, onClose }: ListKeys): void {
  useEffect(() => {
    const actions: Record<string, (list: HTMLElement) => unknown> = {
      j: (list) => moveFocus(list, 1),
      k: (list) => moveFocus(list, -1),
      e: (list) => list.querySelector<HTMLElement>('[data-main-act]')?.click(),
      '/': (list) => list.querySelector<HTMLElement>('[data-desk-search]')?.focus(),
      '?': onHelp,
    };
    const onKey = (event: KeyboardEvent): void => {
      const list = frame.current;
      if (!list || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]')) return;
      if (event.key === 'Escape') {
        const row = list.querySelector<HTMLElement>('[data-row][aria-current]');
        if (isTyping(event.target)) (event.target as HTMLElement).blur();
        else {
          onClose();
          row?.focus();
        }
        return;
      }
      const action = actions[event.key];
      if (!action || isTyping(event.target)) return;
      event.preventDefault();
      action(list);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [frame, onHelp, onClose]);
}
