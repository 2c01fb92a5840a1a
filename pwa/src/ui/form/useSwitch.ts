import { useRef, useState } from 'react';

/** Maximum time to wait for the stored state after the work has ended. */
const MAX_WAIT_MS = 3_000;

/** A button with two states, such as a bookmark. */
export interface Switch {
  /** The wanted state from the tap on, until it is stored or the work has failed. */
  isPressed: boolean;
  /**
   * Switches to the other state. `work` gets the wanted state and runs after earlier taps. It handles its own
   * errors and returns whether the state was stored.
   */
  press: (work: (wanted: boolean) => Promise<boolean>) => void;
}

/**
 * Shows a tap at once. A failed change is reverted. The stored state `isOn` may arrive after the work has
 * ended; until then the button stays as it is, so that a second tap does not repeat the first.
 */
export function useSwitch(isOn: boolean): Switch {
  const [wanted, setWanted] = useState<boolean>();
  const pending = useRef(0);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stored = useRef(isOn);
  // Only a change to the wanted state counts: the stored state from before two taps may equal the wanted one.
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
