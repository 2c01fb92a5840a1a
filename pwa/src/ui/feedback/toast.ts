import { create } from 'zustand';

/** One message. An offer, which has an action and is not `passing`, stays until clicked; other messages disappear after a while. */
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

/** Replaces the present message; an offer returns after a passing one. */
export function showToast(message: ToastMessage): void {
  if (isStayingOffer(message)) waitingOffer = message;
  setCurrent(message);
}

/** Removes the present message, as its action does; a covered offer returns. */
export function dismissToast(): void {
  if (useToast.getState().current === waitingOffer) waitingOffer = undefined;
  setCurrent(waitingOffer);
}
