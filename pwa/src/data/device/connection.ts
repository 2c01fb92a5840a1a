/** The Network Information API of Chromium; other browsers lack it. */
interface Connection {
  saveData?: boolean;
  type?: string;
}

const reported = () => (globalThis.navigator as { connection?: Connection & EventTarget } | undefined)?.connection;

/** True where the browser reports whether the connection is mobile. */
export const knowsConnectionType = (): boolean => reported()?.type !== undefined;

/** Calls `callback` when the kind of connection changes, where the browser reports it. */
export function onConnectionChange(callback: () => void): void {
  reported()?.addEventListener?.('change', callback);
}

/** True with the browser's data saver on. */
export function isSavingData(): boolean {
  return reported()?.saveData === true;
}

/**
 * True on a mobile connection or with the data saver on, where the browser reports them. Ask the user before
 * a large download.
 */
export function isMeteredConnection(): boolean {
  return isSavingData() || reported()?.type === 'cellular';
}
