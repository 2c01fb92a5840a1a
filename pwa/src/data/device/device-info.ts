/** Device and window of the app. */
import { t } from '@lingui/core/macro';

// The first match counts: most user agents also name Chrome and Safari, and Android also names Linux.
const BROWSER_PATTERNS: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\b/],
  ['Opera', /\b(OPR|OPT|Opera)\b/],
  ['Samsung Internet', /\bSamsung(Browser| Internet)\b/],
  ['UC Browser', /\bUC ?Browser\b/],
  ['Firefox', /\b(Firefox|FxiOS)\b/],
  ['Chrome', /\b(HeadlessChrome|Chrome|Chromium|CriOS)\b/],
  ['Safari', /\bSafari\b/],
];
const SYSTEM_PATTERNS: readonly [name: string, sign: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMac(intosh)?\b/],
  ['Linux', /\bLinux\b/],
];

function firstMatch(list: readonly [name: string, sign: RegExp][], userAgent: string): string | undefined {
  return list.find(([, sign]) => sign.test(userAgent))?.[0];
}

/** The name of a device on a screen: 'Chrome on Android', or 'Unknown device'. */
export function deviceLabel(userAgent: string): string {
  const browser = firstMatch(BROWSER_PATTERNS, userAgent);
  const system = firstMatch(SYSTEM_PATTERNS, userAgent);
  if (browser && system) return t`${browser} on ${system}`;
  return browser ?? system ?? t`Unknown device`;
}

/** The name of a device that is sent to the server, in English. */
export function deviceName(userAgent: string): string {
  const names = [firstMatch(BROWSER_PATTERNS, userAgent), firstMatch(SYSTEM_PATTERNS, userAgent)];
  return names.filter(Boolean).join(' on ') || 'Unknown device';
}

/** True in the installed app, which runs in its own window. */
export function isStandalone(): boolean {
  const { standalone } = navigator as { standalone?: boolean };
  return standalone === true || matchMedia('(display-mode: standalone), (display-mode: minimal-ui)').matches;
}

/** True on an iPhone or iPad. An iPad's user agent names a Mac, but no Mac has a touch screen. */
export function isAppleMobile(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}
