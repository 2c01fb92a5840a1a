import { useState } from 'react';
import { isUnanswered, saidByServer } from '../../data/api.ts';
import { Note } from '../../ui/Note.tsx';

/** A call that a press makes: one at a time, and why the last one failed. */
export interface Action {
  isBusy: boolean;
  /** Undefined when the last one succeeded or none was made. */
  problem: string | undefined;
  /** Makes the call; true when it succeeded. Without signal it is not made. */
  run: (call: () => Promise<unknown>, showAtField?: ShowAtField) => Promise<boolean>;
  clear: () => void;
}

function reason(error: unknown, fallback: string): string {
  if (isUnanswered(error)) return `${fallback}. No response from server. Please check your internet connection.`;
  return saidByServer(error, fallback);
}

/** Shows at its fields why the server refused a form; false when it named none of them. */
type ShowAtField = (error: unknown) => boolean;

/** `fallback` is said when the server gives no reason. */
export function useAction(fallback: string): Action {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function run(call: () => Promise<unknown>, showAtField?: ShowAtField): Promise<boolean> {
    if (isBusy) return false;
    if (!navigator.onLine) {
      setProblem('No signal: this needs a connection. Nothing was sent.');
      return false;
    }
    setProblem(undefined);
    setIsBusy(true);
    try {
      await call();
      return true;
    } catch (error) {
      if (!showAtField?.(error)) setProblem(reason(error, fallback));
      return false;
    } finally {
      setIsBusy(false);
    }
  }

  return { isBusy, problem, run, clear: () => setProblem(undefined) };
}

/** Why the last press did not work; nothing when it did. */
export function ActionProblem({ action }: { action: Action }) {
  if (action.problem === undefined) return null;
  return (
    <Note tone="red" icon="warning" alert>
      {action.problem}
    </Note>
  );
}
