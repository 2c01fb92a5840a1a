/** Whether the connection costs its user money or patience. */

/** Chromium's and Android's Network Information; other browsers tell nothing. */
interface Connection {
  saveData?: boolean;
  type?: string;
}

/** True when data is being saved, or the connection is a mobile one as far as the browser tells: then ask first. */
export function isMeteredConnection(): boolean {
  const { connection } = navigator as { connection?: Connection };
  return connection?.saveData === true || connection?.type === 'cellular';
}
