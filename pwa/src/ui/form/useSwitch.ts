import { useRef, useState } from 'react';

/** Maximum time between the end of the work and the stored state. */
const MAX_WAIT_MS = 3_000;

/** A switched button, such as a bookmark. */
export interface Switch {
  /** The wanted state from the press on, until it is the stored state or the work has failed. */
  isPressed: boolean;
  /**
   * Switches over. `work` gets the wanted state, runs after earlier presses, handles its own errors, and returns whether
   * the state was stored.
   */
  press: (work: (wanted: boolean) => Promise<boolean>) => void;
}

/**
 * Shows a press at once. A failed one is taken back. The stored state `isOn` of another one may come after its work: until
 * then the button stays as it is, so that a second press does not repeat the first.
 */
export function useSwitch(isOn: boolean): Switch {
  const [wanted, setWanted] = useState<boolean>();
  const pending = useRef(0);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stored = useRef(isOn);
  // Only a change to the wanted state counts: a stored state from before two presses is equal too.
  if (stored.current !== isOn) {
    stored.current = isOn;
    if (wanted === isOn) setWanted(undefined);
  }
  const isPressed = wanted ?? isOn;
  return {
    isPressed,
    press: (work) => {
      pending.current += 1;
      clearTimeout(timer.current);
      setWanted(!isPressed);
      last.current = last.current
        .then(() => work(!isPressed))
        .then((isStored) => {
          pending.current -= 1;
          if (pending.current === 0) timer.current = setTimeout(() => setWanted(undefined), isStored ? MAX_WAIT_MS : 0);
        });
    },
  };
}
