import { type Press, usePress } from '../../data/press.ts';

/** Turning alerts on and off by a press; the code for it comes with the first. */
export function useTurning(): Omit<Press, 'run'> & { turnOn: () => Promise<boolean>; turnOff: () => Promise<boolean> } {
  const on = usePress('Alerts could not be turned on');
  const off = usePress('Alerts could not be turned off');
  const clear = () => {
    on.clear();
    off.clear();
  };
  const start = ({ run }: Press, work: () => Promise<unknown>) => {
    clear();
    return run(work);
  };
  return {
    isBusy: on.isBusy || off.isBusy,
    problem: on.problem ?? off.problem,
    clear,
    turnOn: () => start(on, () => import('./device.ts').then(({ turnOn }) => turnOn())),
    turnOff: () => start(off, () => import('./device.ts').then(({ turnOff }) => turnOff())),
  };
}
