import { create } from 'zustand';

/** One message. An offer, which has an action and is not `passing`, stays until pressed; any other goes after a while. */
export interface ToastMessage {
  text: string;
  action?: { label: string; run: () => void };
  passing?: boolean;
}

interface ToastState {
  current: ToastMessage | undefined;
}

/** The message on the screen, one at a time. */
export const useToast = create<ToastState>(() => ({ current: undefined }));

const SHOWN_MS = 6000;
let timer: ReturnType<typeof setTimeout> | undefined;
let kept: ToastMessage | undefined;

function isOffer({ action, passing }: ToastMessage): boolean {
  return action !== undefined && !passing;
}

function show(message: ToastMessage | undefined) {
  clearTimeout(timer);
  useToast.setState({ current: message });
  if (message && !isOffer(message)) timer = setTimeout(() => show(kept), SHOWN_MS);
}

/** Shows a message in place of the present one; an offer returns after a passing one. */
export function showToast(message: ToastMessage): void {
  if (isOffer(message)) kept = message;
  show(message);
}

/** Takes the present message away, as its action does; an offer that it had covered returns. */
export function dismissToast(): void {
  if (useToast.getState().current === kept) kept = undefined;
  show(kept);
}
