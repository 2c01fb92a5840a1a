/** The Network Information API of Chromium; other browsers lack it. */
interface Connection {
  saveData?: boolean;
  type?: string;
}

const reported = () => (navigator as { connection?: Connection }).connection;

/** True with the browser's data saver on. */
export function isSavingData(): boolean {
  return reported()?.saveData === true;
}

/** True on a mobile connection or with the data saver on, as far as the browser reports it: then ask first. */
export function isMeteredConnection(): boolean {
  return isSavingData() || reported()?.type === 'cellular';
}
