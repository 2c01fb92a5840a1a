/** Hydration in several tasks, so that the browser handles input between them. */
import { createContext, type ReactNode, Suspense, useContext, useLayoutEffect, useState } from 'react';
import { useHydrated } from './hydration.ts';

/** As in `data/first-screen.ts`, which `ui` may not import. */
const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Lets a part of the page be hydrated; it is thrown before. */
interface Gate {
  isOpen: boolean;
  opening: Promise<void>;
  /** What the server has rendered. The part may have other properties when it is hydrated. */
  rendered: ReactNode;
}

/** The page, or a part of it within `HydrateLater`. */
interface Part {
  /** Prefix of the ids of its elements. */
  name: string;
  ids: number;
  parts: number;
  isHydrating: boolean;
}

const newPart = (name: string, isHydrating: boolean): Part => ({ name, ids: 0, parts: 0, isHydrating });

const gates: Gate[] = [];
/** The browser has one page. */
const page = newPart('', false);
const PartAround = createContext(page);

/** A page of the server, which renders many. */
export function ServerPage({ children }: { children: ReactNode }) {
  const [part] = useState(() => newPart('', false));
  return <PartAround.Provider value={part}>{children}</PartAround.Provider>;
}

/**
 * An id for an element, equal on the server and in the browser. Preact's `useId` counts in the order of rendering,
 * which hydration in tasks changes; this one counts in each part.
 */
export function usePageId(): string {
  const part = useContext(PartAround);
  const [id] = useState(() => `n${part.name}-${part.ids++}`);
  return id;
}

/** The journeys fail when the page changes between the two marks of a part. */
const markStart = () => performance.mark('hydration start');
const markEnd = () => performance.mark('hydration end');

/** Runs `hydrate`; the parts within `HydrateLater` follow, each in a task of its own. */
export function hydrateInTasks(hydrate: () => void): void {
  page.isHydrating = true;
  markStart();
  hydrate();
  markEnd();
  page.isHydrating = false;
}

/** A tab in the background paints no frame. */
const MAX_FRAME_MS = 100;

/** Resolves after the effects of what was rendered, which run after the next frame. */
const effectsOver = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, MAX_FRAME_MS);
    requestAnimationFrame(() => setTimeout(resolve));
  });

/** Resolves when all parts of the page are hydrated, also those within others, and their effects have run. */
export async function whenHydrated(): Promise<void> {
  for (let opened = -1; opened < gates.length; await nextTask()) {
    opened = gates.length;
    await Promise.all(gates.map(({ opening }) => opening));
  }
  await effectsOver();
}

function createGate(rendered: ReactNode): Gate {
  const gate: Gate = {
    isOpen: false,
    opening: nextTask().then(() => {
      gate.isOpen = true;
    }),
    rendered,
  };
  gates.push(gate);
  return gate;
}

function Gated({ gate, part, children }: { gate: Gate; part: Part; children: ReactNode }): ReactNode {
  if (!gate.isOpen) throw gate.opening;
  const isHydrated = useHydrated();
  if (part.isHydrating) markStart();
  // runs after the parts within have rendered
  useLayoutEffect(() => {
    part.isHydrating = false;
    markEnd();
  }, [part]);
  return isHydrated ? children : gate.rendered;
}

/**
 * A part of a rendered page that is hydrated after the part around it, in a task of its own. It renders one element. Without
 * hydration it is rendered with the rest.
 */
export function HydrateLater({ children }: { children: ReactNode }) {
  const around = useContext(PartAround);
  const [part] = useState(() => newPart(`${around.name}-${around.parts++}`, around.isHydrating));
  const [gate] = useState(() => (part.isHydrating ? createGate(children) : null));
  const content = gate ? (
    <Suspense>
      <Gated gate={gate} part={part}>
        {children}
      </Gated>
    </Suspense>
  ) : (
    children
  );
  return <PartAround.Provider value={part}>{content}</PartAround.Provider>;
}
