/** Chromium's event of an app that can be installed; it is in no standard. Its prompt works once. */
export interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let early: BeforeInstallPromptEvent | undefined;
let tell: ((event: BeforeInstallPromptEvent) => void) | undefined;

/** Keeps the browser's prompt from now on. Called by the first script: the browser says it once, and soon. */
export function keepPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    early = event as BeforeInstallPromptEvent;
    tell?.(early);
  });
}

/** Calls `listener` with each prompt, also with one that came before. */
export function onPrompt(listener: (event: BeforeInstallPromptEvent) => void): void {
  tell = listener;
  if (early) listener(early);
}
