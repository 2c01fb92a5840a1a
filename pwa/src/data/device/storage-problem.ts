/** Why the device's database is unavailable, in words. */
import { useDatabaseState } from './database.ts';
import { isQuotaExceeded } from './storage-quota.ts';

const PROBLEMS = {
  silent: {
    problem: 'The storage of this browser does not answer',
    advice: 'Close other tabs of Nivida, or restart the browser. Until then Nivida works online only.',
  },
  full: {
    problem: 'The storage of this phone is full',
    advice: 'Free some storage, then open Nivida again. Until then Nivida works online only.',
  },
  blocked: {
    problem: 'This browser blocks storage',
    advice: 'It may be a private window. Nivida works online only here.',
  },
};

function currentProblem() {
  const { isSilent, cause } = useDatabaseState.getState();
  if (isSilent) return PROBLEMS.silent;
  return isQuotaExceeded(cause) ? PROBLEMS.full : PROBLEMS.blocked;
}

/** Why nothing can be saved on this device: the first half of a sentence. */
export const storageProblem = (): string => currentProblem().problem;

/** Why nothing can be saved on this device, and what the user can do: whole sentences. */
export function storageAdvice(): string {
  const { problem, advice } = currentProblem();
  return `${problem}. ${advice}`;
}
