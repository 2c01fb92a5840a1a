/** A component on the page of a test, used by labels and names as a user does. */
import { act } from 'preact/test-utils';
import { createElement, type ReactNode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';

const textOf = (element: Element): string => (element.textContent ?? '').replace(/\s+/g, ' ').trim();
const nameOf = (element: Element): string => element.getAttribute('aria-label') ?? textOf(element);

const openPages = new Set<() => Promise<void>>();

/** Closes all pages of a test, so that none of them goes on behind the next test. */
export async function closeTestPages(): Promise<void> {
  for (const close of openPages) await close();
}

export async function openTestPage(element: ReactNode, address = '/') {
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  let replace: (next: ReactNode) => void = () => undefined;
  function Shown() {
    const [shown, setShown] = useState(element);
    replace = (next) => setShown(() => next);
    return shown;
  }
  const router = createMemoryRouter([{ path: '*', Component: Shown }], { initialEntries: [address] });
  await act(async () => root.render(createElement(RouterProvider, { router })));

  const close = async () => {
    openPages.delete(close);
    await act(async () => root.unmount());
    page.remove();
  };
  openPages.add(close);

  /** The text of each element. */
  const texts = (selector: string) => [...page.querySelectorAll(selector)].map(textOf);
  /** The control with a label. */
  const field = (label: string): HTMLInputElement => {
    const found = [...page.querySelectorAll('label')].find((each) => textOf(each) === label);
    if (!found) throw new Error(`no field “${label}”, only ${texts('label').join(', ')}`);
    return (document.getElementById(found.htmlFor) ?? found.querySelector('input')) as HTMLInputElement;
  };
  const names = (selector = 'button, a') => [...page.querySelectorAll(selector)].map(nameOf);
  return {
    page,
    /** Renders the component with other properties. */
    show: (next: ReactNode) => act(async () => replace(next)),
    /** Where the user is. */
    address: () => {
      const { pathname, search, hash } = router.state.location;
      return pathname + search + hash;
    },
    texts,
    text: () => textOf(page),
    /** The names of buttons and links. */
    names,
    field,
    /** The message at a field; undefined without one. */
    errorAt: (label: string) => {
      const control = field(label);
      if (control.getAttribute('aria-invalid') !== 'true') return undefined;
      return document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent;
    },
    /** Types a value, or chooses it. */
    fill: async (values: Record<string, string>) => {
      for (const [label, value] of Object.entries(values)) {
        const control = field(label);
        const type = control.tagName === 'SELECT' ? 'change' : 'input';
        await act(async () => {
          control.value = value;
          control.dispatchEvent(new Event(type, { bubbles: true }));
        });
      }
    },
    /** Presses a button or follows a link. */
    press: async (name: string, index = 0) => {
      const found = [...page.querySelectorAll<HTMLElement>('button, a')].filter((each) => nameOf(each) === name)[index];
      if (!found) throw new Error(`no “${name}”, only ${names().join(', ')}`);
      await act(async () => found.click());
    },
    close,
  };
}
