import { t } from '@lingui/core/macro';
import { preload } from '../../data/preload.ts';
import { lazyDialog } from '../../ui/lazy/lazy.tsx';

/** The dialog "On this phone". Its code loads after the first screen. */
export const LazyOnThisPhone = lazyDialog(
  async () => (await import('./OnThisPhoneDialog.tsx')).OnThisPhoneDialog,
  () => t`On this phone`,
  preload,
);
