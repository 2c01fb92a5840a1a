/** Chromium's non-standard event for an app that can be installed. Its prompt works once. */
export interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let earlyPrompt: BeforeInstallPromptEvent | undefined;
let promptListener: ((event: BeforeInstallPromptEvent) => void) | undefined;

/** Captures the browser's prompt. The first script calls it, because the event comes once and early. */
export function captureInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    earlyPrompt = event as BeforeInstallPromptEvent;
    promptListener?.(earlyPrompt);
  });
}

/** Calls `listener` with each prompt, including one that was captured earlier. */
export function onInstallPrompt(listener: (event: BeforeInstallPromptEvent) => void): void {
  promptListener = listener;
  if (earlyPrompt) listener(earlyPrompt);
}
