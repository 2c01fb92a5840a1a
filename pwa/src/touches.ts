/**
 * What somebody does on the page that the server has drawn, before the app has put its own in its place: what was typed
 * or chosen stays, and what was tapped is done then.
 */

/** When the app has not come by then, a tapped link is followed as the browser does. */
const LINK_MS = 3_000;

const TAPPED = 'a[href], button, summary';
const ATTRIBUTES = ['aria-label', 'name', 'type', 'placeholder', 'href'];

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** An element of the drawn page; its place is among those that look alike, by which the app's own is found. */
interface Touched<T extends HTMLElement = HTMLElement> {
  element: T;
  place: number;
}

interface Kept {
  stop: () => void;
  typed: Map<Field, number>;
  focused: Touched | undefined;
  tapped: Touched | undefined;
}

let kept: Kept | undefined;

/** By its words, but for a field: those of a list of choices may come later. */
function look(element: Element): string {
  const words = 'value' in element && element.localName !== 'button' ? '' : element.textContent;
  return [...ATTRIBUTES.map((name) => element.getAttribute(name)), words].join('\n');
}

/** All in the page that look like an element, which itself may be gone. */
function alike<T extends HTMLElement>(element: T): T[] {
  const all = document.querySelectorAll<T>(`#root ${element.localName}`);
  return [...all].filter((each) => look(each) === look(element));
}

const touch = (element: HTMLElement): Touched => ({ element, place: alike(element).indexOf(element) });

/** Keeps what is touched from now on. */
export function keepTouches(): void {
  const ended = new AbortController();
  const keeping: Kept = { stop: () => ended.abort(), typed: new Map(), focused: undefined, tapped: undefined };
  kept = keeping;
  const on = <Name extends keyof DocumentEventMap>(name: Name, keep: (event: DocumentEventMap[Name]) => void) =>
    document.addEventListener(name, keep, { capture: true, signal: ended.signal });

  const keepField = (field: Field) => keeping.typed.set(field, touch(field).place);
  // What was typed before this very script was there. After a reload that is what the browser has restored, older than
  // what the app keeps itself.
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('#root :is(input, textarea)');
  for (const field of load?.type === 'navigate' ? fields : []) {
    if (field.value !== field.defaultValue) keepField(field);
  }
  on('input', ({ target }) => keepField(target as Field));
  on('focusin', ({ target }) => {
    keeping.focused = touch(target as HTMLElement);
  });
  on('submit', (event) => event.preventDefault());
  on('click', (event) => {
    const element = (event.target as Element).closest<HTMLElement>(TAPPED);
    if (!element || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    keeping.tapped = touch(element);
    if (!(element instanceof HTMLAnchorElement)) return;
    setTimeout(() => kept?.tapped?.element === element && location.assign(element.href), LINK_MS);
  });
}

/** The app does not come: from now on the browser does what is touched, beginning with a link that waits. */
export function letTouchesGo(): void {
  kept?.stop();
}

/** Makes the app's field say what the drawn one says, so that the app hears of it. */
function take(own: Field, drawn: Field): void {
  if (own instanceof HTMLInputElement && drawn instanceof HTMLInputElement && own.checked !== drawn.checked)
    own.click();
  if (own.value === drawn.value) return;
  // past what React remembers of a field
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(own), 'value')?.set?.call(own, drawn.value);
  own.dispatchEvent(new Event(own.localName === 'select' ? 'change' : 'input', { bubbles: true }));
}

/** Does what was kept on the app's page, which has taken the other's place. */
export function giveTouches(): void {
  if (!kept) return;
  const { stop, typed, focused, tapped } = kept;
  kept = undefined;
  stop();
  if (focused) alike(focused.element)[focused.place]?.focus({ preventScroll: true });
  for (const [field, place] of typed) {
    const own = alike(field)[place];
    if (own) take(own, field);
  }
  // when the app has taken what was written: the tap may send it
  if (tapped) setTimeout(() => alike(tapped.element)[tapped.place]?.click());
}
