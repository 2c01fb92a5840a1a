import type { ReactNode } from 'react';
import { useSellsNothing } from './site.ts';

/** What is shown only where something is sold; `free` is shown where nothing is (R81). */
export function Sold({ children, free = null }: { children: ReactNode; free?: ReactNode }) {
  return useSellsNothing() ? free : children;
}
