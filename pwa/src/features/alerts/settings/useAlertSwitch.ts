import { t } from '@lingui/core/macro';
import { type Mutation, useMutation } from '../../../data/useMutation.ts';

/** Turns alerts on and off. The first call loads the code. */
export function useAlertSwitch(): Omit<Mutation, 'run'> & {
  turnOn: () => Promise<boolean>;
  turnOff: () => Promise<boolean>;
} {
  const on = useMutation(t`Alerts could not be turned on`);
  const off = useMutation(t`Alerts could not be turned off`);
  const clear = () => {
    on.clear();
    off.clear();
  };
  const start = ({ run }: Mutation, work: () => Promise<unknown>) => {
    clear();
    return run(work);
  };
  return {
    isBusy: on.isBusy || off.isBusy,
    problem: on.problem ?? off.problem,
    clear,
    turnOn: () => start(on, () => import('../push-device.ts').then(({ turnOnAlerts }) => turnOnAlerts())),
    turnOff: () => start(off, () => import('../push-device.ts').then(({ turnOffAlerts }) => turnOffAlerts())),
  };
}
