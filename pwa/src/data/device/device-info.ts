// The first that fits: most browsers also call themselves Chrome and Safari, and Android also calls itself Linux.
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

/** How people would call a device: 'Chrome on Android'; 'Unknown device' for what says nothing known. */
export function deviceName(userAgent: string): string {
  const browser = firstMatch(BROWSER_PATTERNS, userAgent);
  const system = firstMatch(SYSTEM_PATTERNS, userAgent);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}
