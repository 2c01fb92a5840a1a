/** What a press that calls the server needs: one call at a time, and why the last one failed. */
import { useState } from 'react';
import { isConnectionError, serverMessageOr } from './server/api.ts';

/** A press and its call. */
export interface Mutation {
  isBusy: boolean;
  /** Undefined when the last call succeeded or none was made. */
  problem: string | undefined;
  /** Makes the call; true when it succeeded. Without signal it is not made. */
  run: (call: () => Promise<unknown>, showAtField?: ShowAtField) => Promise<boolean>;
  /** Forgets why the last call failed. */
  clear: () => void;
}

/** Shows at its fields why the server refused a form; false when it named none of them. */
type ShowAtField = (error: unknown) => boolean;

function failureText(error: unknown, fallback: string): string {
  if (isConnectionError(error)) return `${fallback}. No response from server. Please check your internet connection.`;
  return serverMessageOr(error, fallback);
}

/** `fallback`, without a full stop, is said when the server gives no reason. */
export function useMutation(fallback: string): Mutation {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function run(call: () => Promise<unknown>, showAtField?: ShowAtField): Promise<boolean> {
    if (isBusy) return false;
    if (!navigator.onLine) {
      setProblem('You are offline: this needs a connection. Nothing was sent.');
      return false;
    }
    setProblem(undefined);
    setIsBusy(true);
    try {
      await call();
      return true;
    } catch (error) {
      if (!showAtField?.(error)) setProblem(failureText(error, fallback));
      return false;
    } finally {
      setIsBusy(false);
    }
  }

  return { isBusy, problem, run, clear: () => setProblem(undefined) };
}
