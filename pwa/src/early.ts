/**
 * The page's first script. It is small and runs before the app's code is there: React replays no click from before
 * `hydrateRoot`, so presses that need the app are remembered here and done when the page is hydrated. Links, the menu
 * and search forms work without any script and are left alone.
 */
import { captureInstallPrompt } from './features/install/install-prompt.ts';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const FIELDS = '#root :is(input, select, textarea)';

const presses = new Map<HTMLElement, () => void>();
let entered: { field: Field; value: string; isChecked: boolean }[] = [];
const listening = new AbortController();
const options = { capture: true, signal: listening.signal };

/** Marks the pressed element until the app answers. */
function wait(element: HTMLElement, press: () => void): void {
  element.dataset.waiting = '';
  presses.set(element, press);
}

function stopWaiting(): (() => void)[] {
  const waiting = [...presses.values()];
  for (const element of presses.keys()) delete element.dataset.waiting;
  presses.clear();
  return waiting;
}

document.addEventListener(
  'click',
  ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('button[type="button"]:not([popovertarget])');
    if (button) wait(button, () => button.click());
  },
  options,
);
document.addEventListener(
  'submit',
  (event) => {
    const form = event.target as HTMLFormElement;
    if (form.hasAttribute('action')) return;
    event.preventDefault();
    const { submitter } = event;
    wait(submitter ?? form, () => form.requestSubmit(submitter));
  },
  options,
);
captureInstallPrompt();

const isCheckable = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');

/** True for a field that the visitor, or the browser at a reload, has filled otherwise than the server. */
function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((each) => each.selected !== each.defaultSelected);
  return isCheckable(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

/** Called right before hydration: from then on React sees every event itself. */
export function handOver(): void {
  listening.abort();
  entered = [...document.querySelectorAll<Field>(FIELDS)]
    .filter(isChanged)
    .map((field) => ({ field, value: field.value, isChecked: isCheckable(field) && field.checked }));
}

/** The field, or the one that has replaced it: a signed-in user's form is another one. */
function present(field: Field): Field | null {
  return field.isConnected ? field : document.querySelector<Field>(`${FIELDS}[name="${field.name}"]`);
}

/** Fills a field again as an event that React takes for a change. */
function fill(field: Field | null, value: string, isChecked: boolean): void {
  if (!field) return;
  if (isCheckable(field)) {
    field.checked = !isChecked;
    field.click();
    return;
  }
  if (field instanceof HTMLSelectElement) field.value = value;
  else {
    // React compares with the value that it has seen last
    field.value = '';
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  }
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}

/** Gives the hydrated app what was entered and pressed before. */
export function repeatEarlyInput(): void {
  // Each in a task of its own, in which React renders. Entries first: a press may send them.
  for (const { field, value, isChecked } of entered) setTimeout(() => fill(present(field), value, isChecked));
  for (const press of stopWaiting()) setTimeout(press);
  entered = [];
}

/** The app does not come: its buttons stop to look as if it did. */
export function dropEarlyInput(): void {
  listening.abort();
  stopWaiting();
}
