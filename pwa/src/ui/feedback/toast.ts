import { create } from 'zustand';

/** One message. An offer, which has an action and is not `passing`, stays until clicked; other messages disappear after a while. */
export interface ToastMessage {
  text: string;
  action?: { label: string; run: () => void };
  passing?: boolean;
  /** Returns after a message that has covered it. */
  returns?: boolean;
}

interface ToastState {
  current: ToastMessage | undefined;
}

/** The message on the screen, one at a time. */
export const useToast = create<ToastState>(() => ({ current: undefined }));

const MESSAGE_DURATION_MS = 6000;
let timer: ReturnType<typeof setTimeout> | undefined;
let waitingOffer: ToastMessage | undefined;
let waitingMessage: ToastMessage | undefined;

function isStayingOffer({ action, passing }: ToastMessage): boolean {
  return action !== undefined && !passing;
}

function setCurrent(message: ToastMessage | undefined) {
  clearTimeout(timer);
  useToast.setState({ current: message });
  if (message && !isStayingOffer(message)) timer = setTimeout(dismissToast, MESSAGE_DURATION_MS);
}

/** Replaces the present message; an offer, and one that `returns`, is shown again after it. */
export function showToast(message: ToastMessage): void {
  if (isStayingOffer(message)) waitingOffer = message;
  if (message.returns) waitingMessage = message;
  setCurrent(message);
}

/** Removes the present message, as its action does; a covered one that returns is shown again. */
export function dismissToast(): void {
  const { current } = useToast.getState();
  if (current === waitingOffer) waitingOffer = undefined;
  if (current === waitingMessage) waitingMessage = undefined;
  setCurrent(waitingMessage ?? waitingOffer);
}
