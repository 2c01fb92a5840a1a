import { create } from 'zustand';

/** One message; it stays until pressed or replaced when it has an action, else it goes after a while. */
export interface ToastMessage {
  text: string;
  action?: { label: string; run: () => void };
}

interface ToastState {
  current: ToastMessage | undefined;
}

/** The message on the screen, one at a time. */
export const useToast = create<ToastState>(() => ({ current: undefined }));

const SHOWN_MS = 6000;
let timer: ReturnType<typeof setTimeout> | undefined;
let kept: ToastMessage | undefined;

function show(message: ToastMessage | undefined) {
  clearTimeout(timer);
  useToast.setState({ current: message });
  if (message && !message.action) timer = setTimeout(() => show(kept), SHOWN_MS);
}

/** Shows a message in place of the present one; one with an action returns after a passing one. */
export function showToast(message: ToastMessage): void {
  if (message.action) kept = message;
  show(message);
}

/** Takes the present message away, as its action does. */
export function dismissToast(): void {
  kept = undefined;
  show(undefined);
}
