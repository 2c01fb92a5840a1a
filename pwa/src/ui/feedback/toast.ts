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

const MESSAGE_DURATION_MS = 6000;
let timer: ReturnType<typeof setTimeout> | undefined;
let waitingOffer: ToastMessage | undefined;

function isStayingOffer({ action, passing }: ToastMessage): boolean {
  return action !== undefined && !passing;
}

function setCurrent(message: ToastMessage | undefined) {
  clearTimeout(timer);
  useToast.setState({ current: message });
  if (message && !isStayingOffer(message)) timer = setTimeout(() => setCurrent(waitingOffer), MESSAGE_DURATION_MS);
}

/** Shows a message in place of the present one; an offer returns after a passing one. */
export function showToast(message: ToastMessage): void {
  if (isStayingOffer(message)) waitingOffer = message;
  setCurrent(message);
}

/** Takes the present message away, as its action does; an offer that it had covered returns. */
export function dismissToast(): void {
  if (useToast.getState().current === waitingOffer) waitingOffer = undefined;
  setCurrent(waitingOffer);
}
