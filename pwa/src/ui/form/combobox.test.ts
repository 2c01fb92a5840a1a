import { act } from 'preact/test-utils';
import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Combobox, type ComboboxOption } from './Combobox.tsx';

let chosen: string[];
let removed: string[];
let left: number;

beforeEach(() => {
  [chosen, removed, left] = [[], [], 0];
});

const OPTIONS: ComboboxOption[] = [
  { key: 'place/Kullu', text: 'Kullu', kind: 'Place', icon: 'search' },
  { key: 'org/PWD', text: 'Public Works' },
  { key: 'recent/wall', text: 'retaining wall', icon: 'clock', onRemove: () => void removed.push('wall') },
];

function open(options = OPTIONS) {
  function Page() {
    const [text, setText] = useState('');
    return h(Combobox<ComboboxOption>, {
      control: { id: 'q', 'aria-describedby': undefined, 'aria-invalid': undefined },
      value: text,
      options,
      listLabel: 'Suggestions',
      onChange: setText,
      onChoose: ({ key }) => void chosen.push(key),
      onBlur: () => {
        left += 1;
      },
      name: 'q',
    });
  }
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  act(() => void root.render(h(Page)));
  onTestFinished(() => {
    act(() => root.unmount());
    page.remove();
  });
  const input = page.querySelector('input') as HTMLInputElement;
  return {
    page,
    input,
    options: () => [...page.querySelectorAll('[role="option"]')],
    active: () => page.querySelector(`#${input.getAttribute('aria-activedescendant') ?? 'none'}`)?.textContent,
    status: () => page.querySelector('[role="status"]')?.textContent,
    type: (text: string) =>
      act(() => {
        input.value = text;
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    press(key: string, more: KeyboardEventInit = {}) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
      act(() => void input.dispatchEvent(event));
      return event.defaultPrevented;
    },
  };
}

test('typing opens the suggestions, which the field names for screen readers', () => {
  const { page, input, type, options, status } = open();
  expect(
    ['role', 'aria-autocomplete', 'aria-expanded', 'aria-controls'].map((name) => input.getAttribute(name)),
  ).toEqual(['combobox', 'list', 'false', null]);
  expect([input.name, input.id, status()]).toEqual(['q', 'q', '']);
  type('wa');
  expect(input.value).toBe('wa');
  const list = page.querySelector('[role="listbox"]');
  expect([list?.getAttribute('aria-label'), input.getAttribute('aria-expanded')]).toEqual(['Suggestions', 'true']);
  expect(input.getAttribute('aria-controls')).toBe(list?.id);
  expect(options().map(({ textContent }) => textContent)).toEqual(['KulluPlace', 'Public Works', 'retaining wall']);
  expect(options().map((option) => option.querySelectorAll('svg').length)).toEqual([1, 0, 2]);
  expect(options().map((option) => option.getAttribute('aria-selected'))).toEqual(['false', 'false', 'false']);
  expect(input.hasAttribute('aria-activedescendant')).toBe(false);
  expect(status()).toBe('3 suggestions');
});

test('one suggestion is one, and none opens no list', () => {
  const one = open(OPTIONS.slice(0, 1));
  one.type('k');
  expect(one.status()).toBe('1 suggestion');
  const none = open([]);
  none.type('k');
  expect([none.input.getAttribute('aria-expanded'), none.status(), none.options()]).toEqual(['false', '', []]);
  expect(none.press('ArrowDown')).toBe(false);
});

test('the arrow keys go through the suggestions and back to the text', () => {
  const { press, active, options, input } = open();
  const seen: unknown[] = [];
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp']) {
    expect(press(key)).toBe(true);
    seen.push(active());
  }
  expect(seen).toEqual(['KulluPlace', 'Public Works', 'retaining wall', undefined, 'retaining wall', 'Public Works']);
  expect(options().map((option) => option.getAttribute('aria-selected'))).toEqual(['false', 'true', 'false']);
  expect(document.activeElement).not.toBe(options()[1]);
  press('Home');
  expect([active(), input.getAttribute('aria-expanded')]).toEqual([undefined, 'true']);
});

test('the arrow up opens no list', () => {
  const { press, input } = open();
  expect(press('ArrowUp')).toBe(false);
  expect(input.getAttribute('aria-expanded')).toBe('false');
});

test('Enter chooses the active suggestion and closes the list; without one it submits the text', () => {
  const { press, input, type } = open();
  type('w');
  expect(press('Enter')).toBe(false);
  expect([chosen, input.getAttribute('aria-expanded')]).toEqual([[], 'false']);
  press('ArrowDown');
  press('ArrowDown');
  expect(press('Enter')).toBe(true);
  expect([chosen, input.getAttribute('aria-expanded')]).toEqual([['org/PWD'], 'false']);
  press('ArrowDown');
  // Typing goes back to the text.
  type('wall');
  expect(press('Enter')).toBe(false);
  expect(chosen).toEqual(['org/PWD']);
});

test.each(['ArrowLeft', 'ArrowRight', 'Home', 'End'])('%s goes back to the text, where Enter submits it', (key) => {
  const { press } = open();
  press('ArrowDown');
  expect(press(key)).toBe(false);
  press('Enter');
  expect(chosen).toEqual([]);
});

test('Enter that ends the composition of an input method chooses nothing', () => {
  const { press, input } = open();
  press('ArrowDown');
  expect(press('Enter', { isComposing: true })).toBe(false);
  expect([chosen, input.getAttribute('aria-expanded')]).toEqual([[], 'true']);
});

test('Escape closes an open list, and is left to others when it is closed', () => {
  const { press, type, input, active } = open();
  type('w');
  press('ArrowDown');
  expect(press('Escape')).toBe(true);
  expect(input.getAttribute('aria-expanded')).toBe('false');
  expect(press('Escape')).toBe(false);
  press('ArrowDown');
  // It begins with the first again.
  expect(active()).toBe('KulluPlace');
});

test('Shift and Delete remove a suggestion that can be removed; Delete alone changes the text', () => {
  const { press, status } = open();
  press('ArrowDown');
  expect(status()).toBe('3 suggestions');
  expect(press('Delete', { shiftKey: true })).toBe(false);
  press('ArrowDown');
  press('ArrowDown');
  expect(status()).toBe('3 suggestions, Shift and Delete remove this one');
  expect(press('Delete')).toBe(false);
  expect(removed).toEqual([]);
  expect(press('Delete', { shiftKey: true })).toBe(true);
  expect([removed, chosen]).toEqual([['wall'], []]);
});

test('a tap chooses a suggestion, or removes it by its cross, and the focus stays in the field', () => {
  const { page, type, options, input } = open();
  type('w');
  const down = new MouseEvent('mousedown', { bubbles: true, cancelable: true });
  act(() => void options()[2]?.dispatchEvent(down));
  expect(down.defaultPrevented).toBe(true);
  const cross = page.querySelector<HTMLElement>('[title="Remove retaining wall"]');
  expect(page.querySelectorAll('[title^="Remove"]')).toHaveLength(1);
  act(() => cross?.click());
  expect([removed, chosen]).toEqual([['wall'], []]);
  act(() => (options()[2] as HTMLElement).click());
  expect([chosen, input.getAttribute('aria-expanded')]).toEqual([['recent/wall'], 'false']);
});

test('leaving the field closes the list and is reported', () => {
  const { type, input } = open();
  type('w');
  input.focus();
  act(() => input.blur());
  expect([input.getAttribute('aria-expanded'), left]).toEqual(['false', 1]);
});

test('the active suggestion is scrolled into view', () => {
  const scrolled: unknown[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled.push(this.textContent);
  });
  const { press } = open();
  press('ArrowDown');
  press('ArrowDown');
  expect(scrolled).toEqual(['KulluPlace', 'Public Works']);
  vi.restoreAllMocks();
});
