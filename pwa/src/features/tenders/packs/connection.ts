/** The Network Information API of Chromium; other browsers lack it. */
interface Connection {
  saveData?: boolean;
  type?: string;
}

/** True on a mobile connection or with the data saver on, as far as the browser reports it: then ask first. */
export function isMeteredConnection(): boolean {
  const { connection } = navigator as { connection?: Connection };
  return connection?.saveData === true || connection?.type === 'cellular';
}
