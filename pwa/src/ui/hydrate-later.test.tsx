import { act } from 'preact/test-utils';
import { createElement as h, type ReactNode, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { HydrateLater, hydrateInTasks, whenHydrated } from './HydrateLater.tsx';
import { removeWideParts, useMinWidth } from './hydration.ts';

let root: HTMLElement;
let presses: string[];

beforeEach(() => {
  root = document.createElement('div');
  document.body.append(root);
  presses = [];
  return () => root.remove();
});

const button = (name: string, attributes = {}) =>
  h('button', { type: 'button', id: name, onClick: () => presses.push(name), ...attributes });

function press(name: string): void {
  root.querySelector<HTMLElement>(`#${name}`)?.click();
}

test('a part is hydrated after the rest of the page, with the same element', async () => {
  const page = h('main', null, button('first'), h(HydrateLater, null, button('later')), button('last'));
  root.innerHTML = renderToString(page);
  const rendered = root.innerHTML;
  const element = root.querySelector('#later');
  hydrateInTasks(() => hydrateRoot(root, page));
  for (const name of ['first', 'later', 'last']) press(name);
  expect(presses).toEqual(['first', 'last']);
  expect(root.innerHTML).toBe(rendered);
  await act(whenHydrated);
  press('later');
  expect(presses).toEqual(['first', 'last', 'later']);
  expect(root.innerHTML).toBe(rendered);
  expect(root.querySelector('#later')).toBe(element);
});

test('a part whose properties change before it is hydrated shows the new ones', async () => {
  let change: (left: number) => void = () => undefined;
  function Page() {
    const [left, setLeft] = useState(7);
    change = setLeft;
    return h('main', null, h(HydrateLater, null, button('later', { 'data-left': left })));
  }
  root.innerHTML = renderToString(h(Page));
  hydrateInTasks(() => hydrateRoot(root, h(Page)));
  change(6);
  await act(whenHydrated);
  expect(root.innerHTML).toBe('<main><button type="button" id="later" data-left="6"></button></main>');
});

test('a part within another one is hydrated after it, and all presses reach the page in the end', async () => {
  const inner = h(HydrateLater, null, button('inner'));
  const page = h('main', null, h(HydrateLater, null, h('section', null, button('outer'), inner)), button('last'));
  root.innerHTML = renderToString(page);
  const rendered = root.innerHTML;
  const elements = [...root.querySelectorAll('button')];
  hydrateInTasks(() => hydrateRoot(root, page));
  for (const name of ['outer', 'inner', 'last']) press(name);
  expect(presses).toEqual(['last']);
  await whenHydrated();
  for (const name of ['outer', 'inner']) press(name);
  expect(presses).toEqual(['last', 'outer', 'inner']);
  expect(root.innerHTML).toBe(rendered);
  expect([...root.querySelectorAll('button')]).toEqual(elements);
});

test('a page that is changed and left while its parts wait for hydration causes no error', async () => {
  const errors: unknown[] = [];
  const note = (error: unknown) => void errors.push(error);
  process.on('uncaughtException', note);
  onTestFinished(() => void process.off('uncaughtException', note));
  let open: (screen: string) => void = () => undefined;
  const part = (name: string) => h(HydrateLater, null, h('section', null, button(name)));
  function Page() {
    const [screen, setScreen] = useState('rendered');
    open = setScreen;
    const inner = screen === 'left' ? null : h('div', null, part('first'), part('second'));
    return h('main', { 'data-screen': screen }, h(HydrateLater, null, h('div', null, inner, part('last'))));
  }
  root.innerHTML = renderToString(h(Page));
  hydrateInTasks(() => hydrateRoot(root, h(Page)));
  open('changed');
  // after one task the outer part is hydrated, and those within it wait
  await act(() => new Promise<void>((resolve) => setTimeout(resolve)));
  open('left');
  await act(whenHydrated);
  expect(errors).toEqual([]);
  press('last');
  expect(presses).toEqual(['last']);
  expect(root.querySelectorAll('button')).toHaveLength(1);
});

test('ids of parts are those of the server, in any order of hydration', async () => {
  // the server and the browser each begin to count
  vi.resetModules();
  const ui = await import('./HydrateLater.tsx');
  const seen: string[] = [];
  function Labelled({ children }: { children?: ReactNode }) {
    const id = ui.usePageId();
    const [first] = useState(id);
    if (!seen.includes(first)) seen.push(first);
    return h('section', null, h('h2', { id }), children);
  }
  const inner = h(ui.HydrateLater, null, h(Labelled));
  const outer = h(ui.HydrateLater, null, h(Labelled, null, inner));
  const page = h('main', null, outer, h(Labelled), h(ui.HydrateLater, null, h(Labelled)));
  root.innerHTML = renderToString(h(ui.ServerPage, null, page));
  const ids = seen.splice(0);
  expect([...root.querySelectorAll('h2')].map(({ id }) => id)).toEqual(ids);
  expect(renderToString(h(ui.ServerPage, null, page))).toBe(root.innerHTML);
  seen.splice(0);
  ui.hydrateInTasks(() => hydrateRoot(root, page));
  await ui.whenHydrated();
  const [first, within, between, last] = ids;
  expect(seen).toEqual([between, first, last, within]);
});

test('without hydration a part is rendered with the rest', () => {
  act(() => void hydrateRoot(root, h('main', null, h(HydrateLater, null, button('later')))));
  press('later');
  expect(presses).toEqual(['later']);
});

test('a part that the screen is too narrow for is removed before hydration', async () => {
  const part = (name: string, width: `${number}rem`) =>
    function Part() {
      return useMinWidth(width) ? h('aside', { id: name, 'data-from-width': width }) : null;
    };
  const page = h('main', null, h(part('wide', '1rem')), h(part('wider', '900rem')));
  root.innerHTML =
    '<main><aside id="wide" data-from-width="1rem"></aside><aside id="wider" data-from-width="900rem"></aside></main>';
  removeWideParts(root);
  const rest = root.innerHTML;
  expect(rest).toBe('<main><aside id="wide" data-from-width="1rem"></aside></main>');
  await act(async () => void hydrateRoot(root, page));
  expect(root.innerHTML).toBe(rest);
});
