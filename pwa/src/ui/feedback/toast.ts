import { create } from 'zustand';

/**
 * One message. A message with an action stays until the user taps, unless it is `passing`: such a message is
 * an offer. Other messages disappear after a while.
 */
export interface ToastMessage {
  text: string;
  action?: { label: string; run: () => void };
  passing?: boolean;
  /** The message is shown again after another message has covered it. */
  returns?: boolean;
}

interface ToastState {
  current: ToastMessage | undefined;
}

/** The message on the screen. There is only one at a time. */
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

/**
 * Replaces the current message. A covered offer, and a covered message that `returns`, is shown again
 * afterwards.
 */
export function showToast(message: ToastMessage): void {
  if (isStayingOffer(message)) waitingOffer = message;
  if (message.returns) waitingMessage = message;
  setCurrent(message);
}

/** Removes the current message. A covered message that returns is shown again. */
export function dismissToast(): void {
  const { current } = useToast.getState();
  if (current === waitingOffer) waitingOffer = undefined;
  if (current === waitingMessage) waitingMessage = undefined;
  setCurrent(waitingMessage ?? waitingOffer);
}
