/** Calls that wait until the member of staff has shown a passkey. */
import { create } from 'zustand';

/** Thrown by a call whose passkey was not shown. */
export class PasskeyNotShownError extends Error {
  override name = 'PasskeyNotShownError';
}

interface GateState {
  /** Why a passkey is needed, in the words of the server. Null while none is. */
  question: string | null;
  waiting: { resolve: () => void; reject: (error: Error) => void }[];
}

export const useGate = create<GateState>(() => ({ question: null, waiting: [] }));

/** Shows the gate. Resolves when a passkey was shown. */
export function askPasskey(question: string): Promise<void> {
  return new Promise((resolve, reject) =>
    useGate.setState(({ waiting }) => ({ question, waiting: [...waiting, { resolve, reject }] })),
  );
}

function endQuestion(end: (call: GateState['waiting'][number]) => void): void {
  const { waiting } = useGate.getState();
  useGate.setState({ question: null, waiting: [] });
  for (const call of waiting) end(call);
}

/** A passkey was shown: the calls that wait are made. */
export const openGate = (): void => endQuestion(({ resolve }) => resolve());

/** No passkey is shown: the calls that wait fail. */
export const leaveGate = (): void => endQuestion(({ reject }) => reject(new PasskeyNotShownError('No passkey')));
