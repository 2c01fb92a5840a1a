import { act, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { openTestPage } from '../test-page.tsx';
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

async function open(options = OPTIONS) {
  function Page() {
    const [text, setText] = useState('');
    return (
      <Combobox
        control={{ id: 'q', 'aria-describedby': undefined, 'aria-invalid': undefined }}
        value={text}
        options={options}
        listLabel="Suggestions"
        onChange={setText}
        onChoose={({ key }) => void chosen.push(key)}
        onBlur={() => {
          left += 1;
        }}
        name="q"
        aria-label="Search"
      />
    );
  }
  const { page, field, enter } = await openTestPage(<Page />);
  const input = field('Search');
  return {
    page,
    input,
    type: (text: string) => enter('Search', text),
    options: () => [...page.querySelectorAll<HTMLElement>('[role="option"]')],
    active: () => page.querySelector(`#${input.getAttribute('aria-activedescendant') ?? 'none'}`)?.textContent,
    status: () => page.querySelector('[role="status"]')?.textContent,
    expanded: () => input.getAttribute('aria-expanded'),
    /** Presses a key; true when the field handles it instead of the browser. */
    press(key: string, more: KeyboardEventInit = {}) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
      act(() => void input.dispatchEvent(event));
      return event.defaultPrevented;
    },
  };
}

test('typing opens the suggestions, which the field names for screen readers', async () => {
  const { page, input, type, options, status, expanded } = await open();
  expect(
    ['role', 'aria-autocomplete', 'aria-expanded', 'aria-controls'].map((name) => input.getAttribute(name)),
  ).toEqual(['combobox', 'list', 'false', null]);
  expect([input.name, input.id, status()]).toEqual(['q', 'q', '']);
  await type('wa');
  expect(input.value).toBe('wa');
  const list = page.querySelector('[role="listbox"]');
  expect([list?.getAttribute('aria-label'), expanded()]).toEqual(['Suggestions', 'true']);
  expect(input.getAttribute('aria-controls')).toBe(list?.id);
  expect(options().map(({ textContent }) => textContent)).toEqual(['KulluPlace', 'Public Works', 'retaining wall']);
  expect(options().map((option) => option.querySelectorAll('svg').length)).toEqual([1, 0, 2]);
  expect(options().map((option) => option.getAttribute('aria-selected'))).toEqual(['false', 'false', 'false']);
  expect(input.hasAttribute('aria-activedescendant')).toBe(false);
  expect(status()).toBe('3 suggestions');
});

test('one suggestion is one, and none opens no list', async () => {
  const one = await open(OPTIONS.slice(0, 1));
  await one.type('k');
  expect(one.status()).toBe('1 suggestion');
  const none = await open([]);
  await none.type('k');
  expect([none.expanded(), none.status(), none.options()]).toEqual(['false', '', []]);
  expect(none.press('ArrowDown')).toBe(false);
});

test('the arrow keys go through the suggestions and back to the text', async () => {
  const { press, active, options, expanded } = await open();
  const seen: unknown[] = [];
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp']) {
    expect(press(key)).toBe(true);
    seen.push(active());
  }
  expect(seen).toEqual(['KulluPlace', 'Public Works', 'retaining wall', undefined, 'retaining wall', 'Public Works']);
  expect(options().map((option) => option.getAttribute('aria-selected'))).toEqual(['false', 'true', 'false']);
  expect(document.activeElement).not.toBe(options()[1]);
  press('Home');
  expect([active(), expanded()]).toEqual([undefined, 'true']);
});

test('the arrow up opens no list', async () => {
  const { press, expanded } = await open();
  expect(press('ArrowUp')).toBe(false);
  expect(expanded()).toBe('false');
});

test('Enter chooses the active suggestion and closes the list; without one it submits the text', async () => {
  const { press, type, expanded } = await open();
  await type('w');
  expect(press('Enter')).toBe(false);
  expect([chosen, expanded()]).toEqual([[], 'false']);
  press('ArrowDown');
  press('ArrowDown');
  expect(press('Enter')).toBe(true);
  expect([chosen, expanded()]).toEqual([['org/PWD'], 'false']);
  press('ArrowDown');
  // Typing goes back to the text.
  await type('wall');
  expect(press('Enter')).toBe(false);
  expect(chosen).toEqual(['org/PWD']);
});

test.each(['ArrowLeft', 'ArrowRight', 'Home', 'End'])(
  '%s goes back to the text, where Enter submits it',
  async (key) => {
    const { press } = await open();
    press('ArrowDown');
    expect(press(key)).toBe(false);
    press('Enter');
    expect(chosen).toEqual([]);
  },
);

test('Enter that ends the composition of an input method chooses nothing', async () => {
  const { press, expanded } = await open();
  press('ArrowDown');
  expect(press('Enter', { isComposing: true })).toBe(false);
  expect([chosen, expanded()]).toEqual([[], 'true']);
});

test('Escape closes an open list, and is left to others when it is closed', async () => {
  const { press, type, active, expanded } = await open();
  await type('w');
  press('ArrowDown');
  expect(press('Escape')).toBe(true);
  expect(expanded()).toBe('false');
  expect(press('Escape')).toBe(false);
  press('ArrowDown');
  // It begins with the first again.
  expect(active()).toBe('KulluPlace');
});

test('Shift and Delete remove a suggestion that can be removed; Delete alone changes the text', async () => {
  const { press, status } = await open();
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

test('a tap chooses a suggestion, or removes it by its cross, and the focus stays in the field', async () => {
  const { page, type, options, expanded } = await open();
  await type('w');
  const down = new MouseEvent('mousedown', { bubbles: true, cancelable: true });
  act(() => void options()[2]?.dispatchEvent(down));
  expect(down.defaultPrevented).toBe(true);
  const cross = page.querySelector<HTMLElement>('[title="Remove retaining wall"]');
  expect(page.querySelectorAll('[title^="Remove"]')).toHaveLength(1);
  act(() => cross?.click());
  expect([removed, chosen]).toEqual([['wall'], []]);
  act(() => options()[2]?.click());
  expect([chosen, expanded()]).toEqual([['recent/wall'], 'false']);
});

test('leaving the field closes the list and is reported', async () => {
  const { type, input, expanded } = await open();
  await type('w');
  input.focus();
  act(() => input.blur());
  expect([expanded(), left]).toEqual(['false', 1]);
});

test('the active suggestion is scrolled into view', async () => {
  const scrolled: unknown[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled.push(this.textContent);
  });
  const { press } = await open();
  press('ArrowDown');
  press('ArrowDown');
  expect(scrolled).toEqual(['KulluPlace', 'Public Works']);
  vi.restoreAllMocks();
});
