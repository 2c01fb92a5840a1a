/**
 * The page's first script. It is small and runs before the app's code is loaded. React replays no event from before
 * `hydrateRoot`, so clicks and left fields that need the app are recorded here and repeated after hydration. Links, the menu and search
 * forms work without scripts and are ignored here.
 */
import { deleteMutation, recordMutation } from './data/unsaved-mutations.ts';
import { captureInstallPrompt } from './features/install/install-prompt.ts';
import { followTranslations } from './ui/translation.ts';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const FIELDS = '#root :is(input, select, textarea)';

/** Hides from a signed-in user what the rendered page has for visitors, until the app shows the user's parts. */
function hideVisitorParts(): void {
  try {
    document.documentElement.toggleAttribute('data-signed-in', Boolean(localStorage.getItem('token')));
  } catch {
    // without storage there is no session
  }
}
hideVisitorParts();
followTranslations(document.body);

/** The signed-in user's id, or ''. */
function storedOwner(): string {
  try {
    const user = localStorage.getItem('token') && JSON.parse(localStorage.getItem('user') ?? '');
    return typeof user?._id === 'string' ? user._id : '';
  } catch {
    return '';
  }
}

const pendingRepeats = new Map<HTMLElement, () => void>();
const leftFields = new Set<Field>();
const entered = new Map<Field, { value: string; isChecked: boolean }>();
/** Parts of the page are hydrated, others are not yet. */
let isHydrating = false;
const listening = new AbortController();
const options = { capture: true, signal: listening.signal };

/** Marks the clicked element until the app responds. */
function markWaiting(element: HTMLElement, repeat: () => void): void {
  element.dataset.waiting = '';
  pendingRepeats.set(element, repeat);
}

/** Shows a switched button, such as a bookmark, in its new state at once; the next press switches it back. */
function toggleEarly(button: HTMLElement): void {
  const { tender, search, seen } = button.dataset;
  const isWanted = !pendingRepeats.delete(button);
  // the page may be left before the app runs
  const subject = tender ?? search;
  const mutation =
    subject === undefined
      ? undefined
      : recordMutation({
          kind: search === undefined ? 'bookmark' : 'search',
          owner: storedOwner(),
          subject,
          wanted: isWanted,
          seenUpTo: seen === undefined ? undefined : Number(seen),
        });
  if (!isWanted) {
    if (mutation) deleteMutation(mutation);
    delete button.dataset.waiting;
    return;
  }
  markWaiting(button, () => {
    // a bookmark of this device, which the server's page does not show, stays one
    if (button.getAttribute('aria-pressed') !== 'true') button.click();
    // the app has recorded its own mutation
    if (mutation && button.isConnected) deleteMutation(mutation);
  });
  button.dataset.waiting = 'true';
}

function stopWaiting(): (() => void)[] {
  const waiting = [...pendingRepeats.values()];
  for (const element of pendingRepeats.keys()) delete element.dataset.waiting;
  pendingRepeats.clear();
  return waiting;
}

document.addEventListener(
  'click',
  (event) => {
    const button = (event.target as Element).closest<HTMLElement>('button[type="button"]:not([popovertarget])');
    if (!button) return;
    if (button.hasAttribute('aria-pressed')) toggleEarly(button);
    else markWaiting(button, () => button.click());
    if (isHydrating) event.stopImmediatePropagation();
  },
  options,
);
document.addEventListener(
  'submit',
  (event) => {
    const form = event.target as HTMLFormElement;
    if (form.hasAttribute('action')) return;
    event.preventDefault();
    if (isHydrating) event.stopImmediatePropagation();
    const { submitter } = event;
    markWaiting(submitter ?? form, () => form.requestSubmit(submitter));
  },
  options,
);
document.addEventListener(
  'focusout',
  ({ target }) => {
    if ((target as Element).matches(FIELDS)) leftFields.add(target as Field);
  },
  options,
);
// A field that is not hydrated yet loses what is typed between the first part's hydration and its own.
document.addEventListener(
  'input',
  ({ target }) => {
    if (isHydrating && (target as Element).matches(FIELDS)) recordEntered(target as Field);
  },
  options,
);
// The app sets the value of a field without its attribute, so a preset is what the field has before the visitor's change.
for (const type of ['focusin', 'input'])
  document.addEventListener(type, ({ target }) => notePreset(target as Element, type === 'focusin'), { capture: true });
// Safari shows `:active` only on pages that listen for touches.
document.addEventListener('touchstart', () => undefined, { passive: true });
captureInstallPrompt();

const isCheckable = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');

/** True for a field whose value the visitor, or the browser at a reload, has changed. */
function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((each) => each.selected !== each.defaultSelected);
  return isCheckable(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

const stateOf = (field: Field): string => (isCheckable(field) ? String(field.checked) : field.value);

/** The state of fields before the visitor's first change; null where it is unknown. */
const presets = new WeakMap<Field, string | null>();

function notePreset(element: Element, isKnown: boolean): void {
  const field = element as Field;
  if (element.matches(FIELDS) && !presets.has(field)) presets.set(field, isKnown ? stateOf(field) : null);
}

/** True for a field that differs from its preset. Before the app runs it may have been changed before this script ran. */
function isEntered(field: Field): boolean {
  const preset = presets.get(field);
  if (preset !== undefined) return stateOf(field) !== preset;
  return !listening.signal.aborted && isChanged(field);
}

/** True when the visitor has typed or chosen something in the page. */
export const hasEnteredText = (): boolean => [...document.querySelectorAll<Field>(FIELDS)].some(isEntered);

/** Called right before hydration. Until its end the recorded clicks do not reach the parts that are hydrated already. */
export function beginHydration(): void {
  isHydrating = true;
  for (const field of document.querySelectorAll<Field>(FIELDS)) if (isChanged(field)) recordEntered(field);
}

function recordEntered(field: Field): void {
  entered.set(field, { value: field.value, isChecked: isCheckable(field) && field.checked });
}

/** The field, or its replacement: a signed-in user's form is another one. */
function findField(field: Field): Field | null {
  return field.isConnected ? field : document.querySelector<Field>(`${FIELDS}[name="${field.name}"]`);
}

/** Fills a field again with an event that React recognises as a change. */
function fill(field: Field | null, value: string, isChecked: boolean): void {
  if (!field) return;
  if (isCheckable(field)) {
    field.checked = !isChecked;
    field.click();
    return;
  }
  if (field instanceof HTMLSelectElement) field.value = value;
  else {
    // React compares with the value that it saw last
    field.value = '';
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  }
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}

/** A form checks a field when the visitor leaves it. */
function dispatchFocusOut(field: Field | null): void {
  if (field && field !== document.activeElement) field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
}

/** Repeats the recorded input, left fields and clicks in the hydrated app, which handles all events from now on. */
export function repeatEarlyInput(): void {
  listening.abort();
  document.documentElement.removeAttribute('data-signed-in');
  // One task each, so that React renders in between. Input comes first, because a click may send it.
  for (const [field, { value, isChecked }] of entered) setTimeout(() => fill(findField(field), value, isChecked));
  for (const field of leftFields) setTimeout(() => dispatchFocusOut(findField(field)));
  for (const repeat of stopWaiting()) setTimeout(repeat);
  entered.clear();
  leftFields.clear();
}

/** Called when the app fails to load: the buttons no longer look busy. */
export function dropEarlyInput(): void {
  document.documentElement.removeAttribute('data-signed-in');
  listening.abort();
  stopWaiting();
}
