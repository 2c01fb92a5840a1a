/** Installation of the app: the browser's events, and the data stored on the device. */
import { create } from 'zustand';
import { currentTime } from '../../data/clock.ts';
import { requestPersistentStorage } from '../../data/device/browser-storage.ts';
import { whenDatabaseIsWanted } from '../../data/device/database.ts';
import { isAppleMobile, isStandalone } from '../../data/device/device-info.ts';
import { readSetting, writeSetting } from '../../data/device/settings.ts';
import { INITIAL_STATE, type InstallEvent, installMemoryOf, nextInstallState } from './install-offer.ts';
import { type BeforeInstallPromptEvent, onInstallPrompt } from './install-prompt.ts';

const INSTALL_KEY = 'install';

/** The state, used by the offer and by the panel that shows whether the app is installed. */
export const useInstall = create(() => INITIAL_STATE);

let storedPrompt: BeforeInstallPromptEvent | undefined;
let isMemoryLoaded = false;

function applyEvent(event: InstallEvent): void {
  useInstall.setState(nextInstallState(useInstall.getState(), event));
}

/**
 * Uses the prompt that the first script has captured, and later ones, for the app's own offer. Called after
 * the first screen.
 */
export function watchInstallPrompt(): void {
  if (isStandalone()) applyEvent({ type: 'installed' });
  else if (isAppleMobile()) applyEvent({ type: 'by hand' });
  onInstallPrompt((event) => {
    storedPrompt = event;
    applyEvent({ type: 'promptable' });
  });
  window.addEventListener('appinstalled', () => {
    applyEvent({ type: 'installed' });
    void requestPersistentStorage();
  });
}

/** Counts this visit, once per page load. Called after the first screen, because it opens the database. */
export async function countVisit(): Promise<void> {
  if (isMemoryLoaded) return;
  isMemoryLoaded = true;
  applyEvent({ type: 'remembered', memory: await readSetting(INSTALL_KEY) });
  applyEvent({ type: 'visited', now: currentTime() });
  await whenDatabaseIsWanted();
  await saveMemory();
}

/** Shows the browser's own prompt. A refusal there counts as a refusal of our offer. */
export async function promptInstall(): Promise<void> {
  const prompt = storedPrompt;
  if (!prompt) return;
  storedPrompt = undefined;
  const { outcome } = await prompt.prompt();
  applyEvent({ type: 'prompted' });
  if (outcome === 'dismissed') await refuseInstall();
}

/** Refuses the offer for 30 days. */
export async function refuseInstall(): Promise<void> {
  applyEvent({ type: 'refused', now: currentTime() });
  await saveMemory();
}

function saveMemory(): Promise<void> {
  return writeSetting(INSTALL_KEY, installMemoryOf(useInstall.getState()));
}
