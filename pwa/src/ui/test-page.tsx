/** Renders a part of the app for tests. Tests use it by labels and names, as a user does. */
import { act, type ReactNode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';

type Control = HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement;
type Address = string | { pathname: string; search?: string; state?: unknown };

export type TestPage = Awaited<ReturnType<typeof openTestPage>>;

const textOf = (element: Element | null | undefined): string =>
  (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
const nameOf = (element: Element): string => element.getAttribute('aria-label') ?? textOf(element);

const openPages = new Set<() => Promise<void>>();

/** Closes all pages of a test, so that none of them runs during the next test. */
export async function closeTestPages(): Promise<void> {
  for (const close of openPages) await close();
}

/** Shows `content` at every address. `address` is the first one. The page is closed after the test. */
export async function openTestPage(content: ReactNode, address: Address = '/') {
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  let replace: (next: ReactNode) => void = () => undefined;
  function Shown() {
    const [shown, setShown] = useState(content);
    replace = (next) => setShown(() => next);
    return shown;
  }
  const router = createMemoryRouter([{ path: '*', Component: Shown }], { initialEntries: [address] });
  const close = async () => {
    openPages.delete(close);
    await act(async () => root.unmount());
    page.remove();
  };
  openPages.add(close);
  await act(async () => root.render(<RouterProvider router={router} useTransitions={false} />));

  const all = (selector: string) => [...page.querySelectorAll<HTMLElement>(selector)];
  const texts = (selector: string) => all(selector).map(textOf);
  const names = (selector = 'button, a') => all(selector).map(nameOf);

  function field(label: string): Control {
    const found = [...page.querySelectorAll('label')].find((each) => textOf(each) === label);
    const id = found?.htmlFor;
    const labelled = id ? document.getElementById(id) : found?.querySelector('input');
    const control = labelled ?? page.querySelector(`:is(input, select, textarea)[aria-label="${label}"]`);
    if (!control) throw new Error(`no field “${label}”, only ${texts('label').join(', ')}`);
    return control as Control;
  }

  function button(name: string, index = 0): HTMLButtonElement {
    const found = all('button, a').filter((each) => nameOf(each) === name)[index];
    if (!found) throw new Error(`no “${name}”, only ${names().join(', ')}`);
    return found as HTMLButtonElement;
  }

  const enter = (label: string, value: string) =>
    act(async () => {
      const control = field(label);
      // React overwrites the element's own property to see the app's changes, so the prototype's setter is
      // called.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value);
      control.dispatchEvent(new Event(control.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
    });

  return {
    page,
    router,
    /** Renders other content, or the same content with other properties. */
    show: (next: ReactNode) => act(async () => replace(next)),
    /** The current address: path, search and hash. */
    address: () => {
      const { pathname, search, hash } = router.state.location;
      return pathname + search + hash;
    },
    /** The text of each element. */
    texts,
    text: () => textOf(page),
    /** The names of buttons and links. */
    names,
    hasButton: (name: string) => names().includes(name),
    /** The control with a label. */
    field,
    /** The button or link with a name. */
    button,
    /** The error message at a field; undefined without one. */
    errorAt: (label: string) => {
      const control = field(label);
      if (control.getAttribute('aria-invalid') !== 'true') return undefined;
      return textOf(document.getElementById(control.getAttribute('aria-describedby') ?? ''));
    },
    /** Types a value, or chooses it. */
    enter,
    fill: async (values: Record<string, string>) => {
      for (const [label, value] of Object.entries(values)) await enter(label, value);
    },
    /** Presses a button or follows a link. */
    press: (name: string, index = 0) => act(async () => button(name, index).click()),
    /** Ticks or unticks a box. */
    toggle: (label: string) => act(async () => field(label).click()),
    /** Moves the focus out of a control. */
    leave: (label: string) =>
      act(async () => void field(label).dispatchEvent(new FocusEvent('focusout', { bubbles: true }))),
    close,
  };
}

/** Runs a hook on its own page. `results` has the result of each render. */
export async function openTestHook<T>(useHook: () => T) {
  const results: T[] = [];
  function Probe() {
    results.push(useHook());
    return null;
  }
  const { close } = await openTestPage(<Probe />);
  return { results, last: () => results.at(-1) as T, close };
}
