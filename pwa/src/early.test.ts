import { beforeEach, expect, test, vi } from 'vitest';

let early: typeof import('./early.ts');
let button: HTMLButtonElement;
let presses: number;

/** React hydrates the page: it shows the device's state and then handles clicks. */
function hydrate(isBookmarked: boolean): void {
  button.setAttribute('aria-pressed', String(isBookmarked));
  button.addEventListener('click', () => {
    presses += 1;
  });
  early.repeatEarlyInput();
  vi.runAllTimers();
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  presses = 0;
  document.body.innerHTML = '<div id="root"><button type="button" aria-pressed="false">Bookmark</button></div>';
  button = document.querySelector('button') as HTMLButtonElement;
  early = await import('./early.ts');
  return () => {
    early.dropEarlyInput();
    localStorage.clear();
    vi.useRealTimers();
  };
});

test('a bookmark pressed before the app runs looks pressed at once, and is pressed when the app runs', () => {
  button.click();
  expect(button.dataset.waiting).toBe('true');
  hydrate(false);
  expect(presses).toBe(1);
  expect(button.dataset.waiting).toBeUndefined();
});

test('a bookmark pressed before the app runs is recorded, so that a page which is left at once does not lose it', () => {
  button.dataset.tender = '12';
  button.click();
  expect(localStorage.getItem('unsaved-bookmark  12')).toMatch(/^1 \d+$/);
  button.click();
  expect(localStorage.getItem('unsaved-bookmark  12')).toBeNull();
  localStorage.setItem('token', 'a.b.c');
  localStorage.setItem('user', '{"_id":"7"}');
  button.click();
  expect(localStorage.getItem('unsaved-bookmark 7 12')).toMatch(/^1 \d+$/);
  hydrate(false);
  expect(localStorage.getItem('unsaved-bookmark 7 12')).toBeNull();
});

test('a search saved before the app runs is recorded, with the newest tender on the page', () => {
  Object.assign(button.dataset, { search: 'state=Assam&q=road', seen: '4711' });
  button.click();
  expect(localStorage.getItem('unsaved-search  state=Assam&q=road')).toMatch(/^1 \d+ 4711$/);
  hydrate(false);
  expect(presses).toBe(1);
  expect(localStorage.getItem('unsaved-search  state=Assam&q=road')).toBeNull();
});

test('a bookmark pressed twice before the app runs is not pressed', () => {
  button.click();
  button.click();
  expect(button.dataset.waiting).toBeUndefined();
  hydrate(false);
  expect(presses).toBe(0);
});

test('a bookmark of this device, which the page does not show yet, is not removed by a press for it', () => {
  button.click();
  hydrate(true);
  expect(presses).toBe(0);
});

test('a field that was left before the app runs is checked when the app runs', () => {
  const field = document.createElement('input');
  document.querySelector('#root')?.append(field);
  field.focus();
  field.blur();
  const left: EventTarget[] = [];
  field.addEventListener('focusout', () => left.push(field));
  hydrate(false);
  expect(left).toEqual([field]);
});

test('a field that has the focus again when the app runs is not checked yet', () => {
  const field = document.createElement('input');
  document.querySelector('#root')?.append(field);
  field.focus();
  field.blur();
  field.focus();
  const left: EventTarget[] = [];
  field.addEventListener('focusout', () => left.push(field));
  hydrate(false);
  expect(left).toEqual([]);
});

test('a field that was filled before the app runs is filled again when the app runs', () => {
  const field = document.createElement('input');
  document.querySelector('#root')?.append(field);
  field.value = 'road';
  const texts: string[] = [];
  field.addEventListener('touchcancel', () => {
    // React hydrates the field with the value of the app
    field.value = '';
  });
  field.addEventListener('input', () => texts.push(field.value));
  hydrate(false);
  expect(texts).toEqual(['road']);
});

test('a choice is not lost when React renders between its two events', () => {
  const root = document.getElementById('root') as HTMLElement;
  root.innerHTML = '<select><option></option><option>Goa</option></select>';
  const select = root.querySelector('select') as HTMLSelectElement;
  root.addEventListener('input', () => {
    select.value = '';
  });
  select.value = 'Goa';
  select.dispatchEvent(new Event('input', { bubbles: true }));
  expect(select.value).toBe('Goa');
});
