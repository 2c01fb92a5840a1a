/** A part of the app in a page, with its controls as a user finds them. For tests. */
import { act } from 'preact/test-utils';
import { createElement, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';

type Control = HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement;

const wordsOf = (element: Element | null | undefined) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
const nameOf = (element: Element) => element.getAttribute('aria-label') ?? wordsOf(element);

/** Shows `content` at every address, at first at `address`. `close` removes it. */
export async function openPage(content: ReactNode, address: string | { pathname: string; state: unknown } = '/') {
  const frame = document.createElement('div');
  document.body.append(frame);
  const root = createRoot(frame);
  const router = createMemoryRouter([{ path: '*', element: content }], { initialEntries: [address] });
  await act(async () => root.render(createElement(RouterProvider, { router })));

  const all = (selector: string) => [...frame.querySelectorAll<HTMLElement>(selector)];

  /** The control of a label, which has these words. */
  function field(label: string): Control {
    const found = all('label').find((each) => wordsOf(each) === label);
    const id = found?.getAttribute('for');
    const control = found ? (id ? frame.querySelector(`[id="${id}"]`) : found.querySelector('input')) : null;
    const named = control ?? frame.querySelector(`select[aria-label="${label}"]`);
    if (!named) throw new Error(`There is no field "${label}"`);
    return named as Control;
  }

  function button(name: string): HTMLButtonElement {
    const found = all('button, a').find((each) => nameOf(each) === name);
    if (!found) throw new Error(`There is no button "${name}"`);
    return found as HTMLButtonElement;
  }

  /** Sets the value of a control as a user does. */
  const enter = (label: string, value: string) =>
    act(async () => {
      const control = field(label);
      control.value = value;
      control.dispatchEvent(new Event(control.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
    });

  return {
    frame,
    router,
    field,
    button,
    enter,
    hasButton: (name: string) => all('button, a').some((each) => nameOf(each) === name),
    press: (name: string) => act(async () => button(name).click()),
    toggle: (label: string) => act(async () => field(label).click()),
    /** Moves the focus out of a control. */
    leave: (label: string) =>
      act(async () => void field(label).dispatchEvent(new FocusEvent('focusout', { bubbles: true }))),
    /** The error of a control; undefined without one. */
    errorAt(label: string): string | undefined {
      const id = field(label).getAttribute('aria-describedby');
      return id ? wordsOf(frame.querySelector(`[id="${id}"]`)) : undefined;
    },
    /** The texts of all elements of a selector. */
    texts: (selector: string) => all(selector).map(wordsOf),
    text: () => wordsOf(frame),
    async close() {
      await act(async () => root.unmount());
      frame.remove();
    },
  };
}

export type TestPage = Awaited<ReturnType<typeof openPage>>;
