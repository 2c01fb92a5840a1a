/** A call to the server that a button makes: one call at a time, with the error of the last call. */
import { useState } from 'react';
import { assertOnline, failureText } from './server/api.ts';

/** A button's call. */
export interface Mutation {
  isBusy: boolean;
  /** Why the last call failed. Undefined when it succeeded or none was made. */
  problem: string | undefined;
  /** Makes the call. Returns true when it succeeded. Offline no call is made. */
  run: (call: () => Promise<unknown>) => Promise<boolean>;
  /** Removes the problem. */
  clear: () => void;
}

/** `fallback` (without a full stop) is the problem when the server gives no reason. */
export function useMutation(fallback: string): Mutation {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function run(call: () => Promise<unknown>): Promise<boolean> {
    if (isBusy) return false;
    setProblem(undefined);
    setIsBusy(true);
    try {
      assertOnline();
      await call();
      return true;
    } catch (error) {
      setProblem(failureText(error, fallback));
      return false;
    } finally {
      setIsBusy(false);
    }
  }

  return { isBusy, problem, run, clear: () => setProblem(undefined) };
}
