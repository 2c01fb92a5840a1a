import { useRef, useState } from 'react';

/** A switched button, such as a bookmark. */
export interface Switch {
  /** The wanted state from the press on, until the work is done. */
  isPressed: boolean;
  /** Switches over. `work` gets the wanted state, runs after earlier presses, and handles its own errors. */
  press: (work: (wanted: boolean) => Promise<void>) => void;
}

/** Shows a press at once. When the work is done the stored state `isOn` counts again: a failed press is taken back. */
export function useSwitch(isOn: boolean): Switch {
  const [wanted, setWanted] = useState<boolean>();
  const pending = useRef(0);
  const last = useRef(Promise.resolve());
  if (wanted === isOn) setWanted(undefined);
  const isPressed = wanted ?? isOn;
  return {
    isPressed,
    press: (work) => {
      pending.current += 1;
      setWanted(!isPressed);
      last.current = last.current
        .then(() => work(!isPressed))
        .finally(() => {
          pending.current -= 1;
          if (pending.current === 0) setWanted(undefined);
        });
    },
  };
}
