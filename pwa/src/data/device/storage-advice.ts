import { t } from '@lingui/core/macro';
import { storageProblem, useDatabaseState } from './database.ts';

function advice(): string {
  const { isSilent, isFull, isCodeMissing } = useDatabaseState.getState();
  if (isCodeMissing) return t`Open Nivida again when there is a connection.`;
  if (isSilent) return t`Close other tabs of Nivida, or restart the browser. Until then Nivida works online only.`;
  if (isFull) return t`Free some storage, then open Nivida again. Until then Nivida works online only.`;
  return t`It may be a private window. Nivida works online only here.`;
}

/** Why nothing can be saved on this device, and what the user can do, in whole sentences. */
export const storageAdvice = (): string => t`${{ problem: storageProblem() }}. ${{ advice: advice() }}`;
