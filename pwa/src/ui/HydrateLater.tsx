/** Hydration in several tasks, so that the browser handles input between them. */
import { type ReactNode, Suspense, useState } from 'react';
import { useHydrated } from './hydration.ts';

/** Resolves in a task of its own, so that the browser handles input and paints before the work goes on. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Lets a part of the page be hydrated; it is thrown before. */
interface Gate {
  isOpen: boolean;
  opening: Promise<void>;
  /** What the server has rendered. The part may have other properties when it is hydrated. */
  rendered: ReactNode;
}

const gates: Gate[] = [];
let isHydrating = false;

/** Runs `hydrate`; the parts within `HydrateLater` follow, each in a task of its own. */
export function hydrateInTasks(hydrate: () => void): void {
  isHydrating = true;
  hydrate();
  isHydrating = false;
}

/** Resolves when all parts of the page are hydrated. */
export async function whenHydrated(): Promise<void> {
  await Promise.all(gates.map(({ opening }) => opening));
  await nextTask();
}

function createGate(rendered: ReactNode): Gate | null {
  if (!isHydrating) return null;
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

function Gated({ gate, children }: { gate: Gate; children: ReactNode }): ReactNode {
  if (!gate.isOpen) throw gate.opening;
  const isHydrated = useHydrated();
  return isHydrated ? children : gate.rendered;
}

/**
 * A part of a rendered page that is hydrated after the rest, `unless` it is in view. It renders one element. Without
 * hydration it is rendered with the rest.
 */
export function HydrateLater({ unless = false, children }: { unless?: boolean; children: ReactNode }) {
  const [gate] = useState(() => (unless ? null : createGate(children)));
  if (!gate) return children;
  return (
    <Suspense>
      <Gated gate={gate}>{children}</Gated>
    </Suspense>
  );
}
