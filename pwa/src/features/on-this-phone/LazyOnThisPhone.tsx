import type { ComponentProps } from 'react';
import { usePreload } from '../../data/preload.ts';
import { LazyDialog } from '../../ui/lazy/LazyDialog.tsx';
import type { OnThisPhoneDialog } from './OnThisPhoneDialog.tsx';

const load = async () => (await import('./OnThisPhoneDialog.tsx')).OnThisPhoneDialog;

interface LazyOnThisPhoneProps extends ComponentProps<typeof OnThisPhoneDialog> {
  isOpen: boolean;
}

/** The dialog "On this phone". Its code loads after the first screen. */
export function LazyOnThisPhone({ isOpen, ...dialog }: LazyOnThisPhoneProps) {
  usePreload(load);
  return isOpen ? <LazyDialog load={load} title="On this phone" dialog={dialog} /> : null;
}
