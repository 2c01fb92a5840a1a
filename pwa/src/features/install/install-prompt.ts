/** Chromium's event of an app that can be installed; it is in no standard. Its prompt works once. */
export interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let earlyPrompt: BeforeInstallPromptEvent | undefined;
let promptListener: ((event: BeforeInstallPromptEvent) => void) | undefined;

/** Keeps the browser's prompt from now on. Called by the first script: the browser fires the event once, and early. */
export function captureInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    earlyPrompt = event as BeforeInstallPromptEvent;
    promptListener?.(earlyPrompt);
  });
}

/** Calls `listener` with each prompt, also with one that came before. */
export function onInstallPrompt(listener: (event: BeforeInstallPromptEvent) => void): void {
  promptListener = listener;
  if (earlyPrompt) listener(earlyPrompt);
}
