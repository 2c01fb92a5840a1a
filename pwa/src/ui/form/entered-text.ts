/** Which fields the visitor has changed. A reload of the page and hydration must not lose typed text. */

export type FormField = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const FIELDS = '#root :is(input, select, textarea)';

const allFields = () => [...document.querySelectorAll<FormField>(FIELDS)];

export const isField = (target: EventTarget | null): target is FormField => (target as Element).matches(FIELDS);

const isCheckable = (field: FormField): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');

const stateOf = (field: FormField): string => (isCheckable(field) ? String(field.checked) : field.value);

/** The state of each field before the visitor's first change. Null when it is unknown. */
const presets = new WeakMap<FormField, string | null>();
let isAppRunning = false;

function notePreset({ target, type }: Event): void {
  if (isField(target) && !presets.has(target)) presets.set(target, type === 'focusin' ? stateOf(target) : null);
}

/**
 * React sets a select at each render. A render between the browser's `input` and `change`, such as the first one after
 * hydration, would undo a choice that the app does not know yet.
 */
function keepChoices(): void {
  let choice = '';
  const keep = (select: EventTarget | null, phase: number) => {
    if (!(select instanceof HTMLSelectElement)) return;
    if (phase === Event.CAPTURING_PHASE) choice = select.value;
    else if (select.value !== choice) select.value = choice;
  };
  for (const capture of [true, false])
    document.addEventListener('input', ({ target, eventPhase }) => keep(target, eventPhase), { capture });
}

/** Called once, before the visitor changes a field. */
export function watchFields(): void {
  for (const type of ['focusin', 'input']) document.addEventListener(type, notePreset, { capture: true });
  keepChoices();
}

/** Call when the app runs: from then on the app sets fields without changing their attributes. */
export function noteAppRuns(): void {
  isAppRunning = true;
}

/**
 * True when a field's state differs from its attributes. Before the app runs, this means that the visitor or
 * a reload has changed it.
 */
function isChanged(field: FormField): boolean {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((each) => each.selected !== each.defaultSelected);
  return isCheckable(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

function isEntered(field: FormField): boolean {
  const preset = presets.get(field);
  if (preset !== undefined) return stateOf(field) !== preset;
  return !isAppRunning && isChanged(field);
}

/** True when the visitor has typed or chosen something on the page. */
export const hasEnteredText = (): boolean => allFields().some(isEntered);

/** The field, or the field that has replaced it: for a signed-in user the app renders another form. */
const findField = (field: FormField): FormField | null =>
  field.isConnected ? field : document.querySelector<FormField>(`${FIELDS}[name="${field.name}"]`);

/**
 * Fills a field with an event that React recognises as a change. React compares with the value that it saw
 * last.
 */
function fill(field: FormField | null, value: string, isChecked: boolean): void {
  if (!field) return;
  if (isCheckable(field)) {
    field.checked = !isChecked;
    field.click();
    return;
  }
  const isSelect = field instanceof HTMLSelectElement;
  if (!isSelect) field.value = '';
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event(isSelect ? 'change' : 'input', { bubbles: true }));
}

/**
 * The fields that were changed before the app runs, each with a function that fills the field again in the
 * app.
 */
export function enteredFields(): { field: FormField; enterAgain: () => void }[] {
  return allFields()
    .filter(isChanged)
    .map((field) => {
      const { value } = field;
      const isChecked = isCheckable(field) && field.checked;
      return { field, enterAgain: () => fill(findField(field), value, isChecked) };
    });
}

/** Repeats that the visitor left a field, because a form then checks the field. */
export function leaveAgain(left: FormField): void {
  const field = findField(left);
  if (field && field !== document.activeElement) field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
}
