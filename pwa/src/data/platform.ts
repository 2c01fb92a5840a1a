/** What kind of device and window the app runs in. */

/** True in the installed app: a window of its own. */
export function isStandalone(): boolean {
  const { standalone } = navigator as { standalone?: boolean };
  return standalone === true || matchMedia('(display-mode: standalone), (display-mode: minimal-ui)').matches;
}

/** An iPhone or iPad. An iPad says that it is a Mac; Macs have no touch screen. */
export function isAppleMobile(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}
