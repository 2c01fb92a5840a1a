/**
 * The page's first script, which runs before the app's code is loaded. React hydrates a part at once when it is used, and
 * repeats the event there, but it knows no event from before `hydrateRoot`. So this script
 * 1. marks a pressed button as waiting, and presses it again when the app runs;
 * 2. stores a pressed bookmark, because the page may be left before the app runs;
 * 3. holds back a form that only the app can send;
 * 4. repeats what was typed and which fields were left, of which React would not know.
 * Links, the menu and search forms work without scripts and are ignored here.
 * It also starts what must see the page from its beginning: the browser's translator, its offer to install the app, and
 * the session that hides the parts for visitors.
 */
import { deleteMutation, recordMutation } from './data/unsaved-mutations.ts';
import { captureInstallPrompt } from './features/install/install-prompt.ts';
import {
  enteredFields,
  type FormField,
  isField,
  leaveAgain,
  noteAppRuns,
  watchFields,
} from './ui/form/entered-text.ts';
import { followTranslations } from './ui/translation.ts';

/** The signed-in user's id, or ''. */
function storedOwner(): string {
  try {
    const user = localStorage.getItem('token') && JSON.parse(localStorage.getItem('user') ?? '');
    return typeof user?._id === 'string' ? user._id : '';
  } catch {
    // without storage there is no session
    return '';
  }
}

/** What repeats the press of an element, or the submit of a form. */
const repeats = new Map<HTMLElement, () => void>();
const leftFields = new Set<FormField>();
const listening = new AbortController();
const options = { capture: true, signal: listening.signal };

/** Marks the pressed element until the app responds. */
function markWaiting(element: HTMLElement, repeat: () => void, mark = ''): void {
  element.dataset.waiting = mark;
  repeats.set(element, repeat);
}

/** Shows a switched button, such as a bookmark, in its new state at once; the next press switches it back. */
function toggleEarly(button: HTMLElement): void {
  const { tender, search, seen } = button.dataset;
  const isWanted = !repeats.delete(button);
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
  const repeat = () => {
    // a bookmark of this device, which the server's page does not show, stays one
    if (button.getAttribute('aria-pressed') !== 'true') button.click();
    // the app has recorded its own mutation
    if (mutation && button.isConnected) deleteMutation(mutation);
  };
  markWaiting(button, repeat, 'true');
}

function pressEarly({ target }: Event): void {
  const button = (target as Element).closest<HTMLElement>('button[type="button"]:not([popovertarget])');
  if (button?.hasAttribute('aria-pressed')) toggleEarly(button);
  else if (button) markWaiting(button, () => button.click());
}

function submitEarly(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  if (form.hasAttribute('action')) return;
  event.preventDefault();
  const { submitter } = event;
  markWaiting(submitter ?? form, () => form.requestSubmit(submitter));
}

function stopWaiting(): (() => void)[] {
  listening.abort();
  noteAppRuns();
  for (const element of repeats.keys()) delete element.dataset.waiting;
  return [...repeats.values()];
}

/** Called right after `hydrateRoot`: repeats input, left fields and presses in the app. */
export function repeatEarlyInput(): void {
  const entered = enteredFields();
  // React hydrates the part in which a discrete event happens; the app ignores this one.
  for (const element of [...repeats.keys(), ...leftFields, ...entered.map(({ field }) => field)])
    element.dispatchEvent(new Event('touchcancel', { bubbles: true }));
  // One task each, so that React renders in between. Input comes first, because a press may send it.
  for (const { enterAgain } of entered) setTimeout(enterAgain);
  for (const field of leftFields) setTimeout(() => leaveAgain(field));
  for (const repeat of stopWaiting()) setTimeout(repeat);
}

/** Called when the app fails to load: the buttons no longer look busy. */
export function dropEarlyInput(): void {
  document.documentElement.removeAttribute('data-signed-in');
  stopWaiting();
}

document.documentElement.toggleAttribute('data-signed-in', storedOwner() !== '');
document.addEventListener('click', pressEarly, options);
document.addEventListener('submit', submitEarly, options);
document.addEventListener('focusout', ({ target }) => isField(target) && leftFields.add(target), options);
// Safari shows `:active` only on pages that listen for touches.
document.addEventListener('touchstart', () => undefined, { passive: true });
watchFields();
followTranslations(document.body);
captureInstallPrompt();
