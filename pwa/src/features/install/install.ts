/** Installing the app: what the browser says about it, kept from the start on, and what the device remembers. */
import { create } from 'zustand';
import { currentTime } from '../../data/clock.ts';
import { isApplePhone, isStandalone } from '../../data/platform.ts';
import { readSetting, writeSetting } from '../../data/settings.ts';
import { askToPersist } from '../../data/storage.ts';
import { type InstallEvent, memoryOf, nextState, UNKNOWN } from './offer.ts';
import { type BeforeInstallPromptEvent, onPrompt } from './prompt.ts';

const SETTING = 'install';

/** The present state, for the offer and for the panel that tells whether the app is installed. */
export const useInstall = create(() => UNKNOWN);

let kept: BeforeInstallPromptEvent | undefined;
let isRemembered = false;

function apply(event: InstallEvent): void {
  useInstall.setState(nextState(useInstall.getState(), event));
}

/** True in the installed app, and in the tab that has just installed it. */
export function isInstalled(): boolean {
  return useInstall.getState().isInstalled;
}

/** Keeps the browser's prompt for our own offer. Call it at the start. */
export function watchInstall(): void {
  if (isStandalone()) apply({ type: 'installed' });
  else if (isApplePhone()) apply({ type: 'by hand' });
  onPrompt((event) => {
    kept = event;
    apply({ type: 'promptable' });
  });
  window.addEventListener('appinstalled', () => {
    apply({ type: 'installed' });
    void askToPersist();
  });
}

/** Counts this visit, once a page; call it when the screen stands, since it opens the database. */
export async function countVisit(): Promise<void> {
  if (isRemembered) return;
  isRemembered = true;
  apply({ type: 'remembered', memory: await readSetting(SETTING) });
  apply({ type: 'visited', now: currentTime() });
  await remember();
}

/** Shows the browser's own prompt; a no there is a no to us. */
export async function install(): Promise<void> {
  const prompt = kept;
  if (!prompt) return;
  kept = undefined;
  const { outcome } = await prompt.prompt();
  apply({ type: 'prompted' });
  if (outcome === 'dismissed') await refuse();
}

/** Not now: the offer comes back after 30 days at the earliest. */
export async function refuse(): Promise<void> {
  apply({ type: 'refused', now: currentTime() });
  await remember();
}

function remember(): Promise<void> {
  return writeSetting(SETTING, memoryOf(useInstall.getState()));
}
