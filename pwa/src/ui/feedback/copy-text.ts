import { t } from '@lingui/core/macro';
import { showToast } from './toast.ts';

/** Copies a text. A toast says whether the browser did it. */
export const copyText = (text: string): void =>
  void navigator.clipboard.writeText(text).then(
    () => showToast({ text: t`Copied` }),
    () => showToast({ text: t`The browser did not copy it. Mark it and copy it yourself.` }),
  );
