/**
 * The page's first script. It runs before the app's code is loaded.
 * When a part of the page is used, React hydrates it at once and repeats the event there. But React does not
 * know events from before `hydrateRoot`. So this script
 * - marks a pressed button as waiting, and presses it again when the app runs;
 * - stores a pressed bookmark, because the user may leave the page before the app runs;
 * - holds back a form that only the app can send;
 * - repeats typed text and left fields.
 * Links, the menu and search forms work without scripts, so they are ignored here.
 * The script also starts everything that must see the page from its beginning: the handling of the browser's
 * translator, the browser's install prompt, the session that hides the parts for visitors, and the chosen language.
 */
import { languageOfHome, pathIn, splitLanguage } from '@nivida/contract/languages';
import { browserStorage } from './data/device/browser-storage.ts';
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
    // Without storage there is no session.
    return '';
  }
}

/** For each element, the function that repeats its press or the submit of its form. */
const repeats = new Map<HTMLElement, () => void>();
const leftFields = new Set<FormField>();
const listening = new AbortController();
const options = { capture: true, signal: listening.signal };

/** Marks the pressed element until the app responds. */
function markWaiting(element: HTMLElement, repeat: () => void, mark = ''): void {
  element.dataset.waiting = mark;
  repeats.set(element, repeat);
}

/**
 * Shows a button with two states, such as a bookmark, in its new state at once. The next press switches it
 * back.
 */
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
    // The device has a bookmark that the server's page does not show. It stays bookmarked.
    if (button.getAttribute('aria-pressed') !== 'true') button.click();
    // The app has recorded the mutation itself.
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

/** Ends the recording: the buttons no longer look busy. Returns what the app has to repeat; one that failed to load repeats nothing. */
export function dropEarlyInput(): (() => void)[] {
  listening.abort();
  noteAppRuns();
  for (const element of repeats.keys()) delete element.dataset.waiting;
  return [...repeats.values()];
}

/** Called right after `hydrateRoot`. Repeats typed text, left fields and presses in the app. */
export function repeatEarlyInput(): void {
  const entered = enteredFields();
  // React hydrates the part in which a discrete event happens. The app ignores this event.
  for (const element of [...repeats.keys(), ...leftFields, ...entered.map(({ field }) => field)])
    element.dispatchEvent(new Event('touchcancel', { bubbles: true }));
  // Each runs in its own task, so that React renders in between. Typed text is first, because a press may
  // send it.
  for (const { enterAgain } of entered) setTimeout(enterAgain);
  for (const field of leftFields) setTimeout(() => leaveAgain(field));
  for (const repeat of dropEarlyInput()) setTimeout(repeat);
}

/**
 * Starts the app in the language that the user has chosen, from the manifest of any language: at home, by a shortcut
 * or by a shared text. A link of the app, and every other address, says its language itself.
 */
function openChosenLanguage(): void {
  const [, home] = /^"(.*)"$/.exec(browserStorage()?.getItem('home') ?? '') ?? [];
  const chosen = languageOfHome(home);
  const { pathname, search, hash, origin } = location;
  const { language, path } = splitLanguage(pathname);
  const isStart = pathname === '/' || path === '/share' || /[?&]src=pwa\b/.test(search);
  const isLink = document.referrer.startsWith(`${origin}/`);
  if (chosen && chosen !== language && isStart && !isLink) location.replace(pathIn(chosen, path) + search + hash);
}

openChosenLanguage();
document.documentElement.toggleAttribute('data-signed-in', storedOwner() !== '');
document.addEventListener('click', pressEarly, options);
document.addEventListener('submit', submitEarly, options);
document.addEventListener('focusout', ({ target }) => isField(target) && leftFields.add(target), options);
// Safari shows `:active` only on pages that listen for touches.
document.addEventListener('touchstart', () => undefined, { passive: true });
watchFields();
followTranslations(document.body);
captureInstallPrompt();
