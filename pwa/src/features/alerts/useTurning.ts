import { type Press, usePress } from '../../data/press.ts';

/** Turning alerts on and off by a press; the code for it comes with the first. */
export function useTurning(): Omit<Press, 'run'> & { turnOn: () => Promise<boolean>; turnOff: () => Promise<boolean> } {
  const { run, ...press } = usePress('Alerts could not be turned on');
  return {
    ...press,
    turnOn: () => run(() => import('./device.ts').then(({ turnOn }) => turnOn())),
    turnOff: () => run(() => import('./device.ts').then(({ turnOff }) => turnOff())),
  };
}
