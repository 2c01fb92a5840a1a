/**
 * Builds the Android app: a Trusted Web Activity that shows PUBLIC_ORIGIN in the phone's browser. Bubblewrap makes the Gradle
 * project from `twa-manifest.json`, which this writes from the app's own manifest. See docs/android.md.
 *
 *   node --env-file=docker/.env android/build.js [--manifest-only]
 *
 * Exit code 1 when something is missing; each line says what and where it comes from.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BUBBLEWRAP = '@bubblewrap/cli@1.25.0';
const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'android/project');
const WEB_MANIFEST = join(ROOT, 'pwa/dist/manifest.webmanifest');

const {
  PUBLIC_ORIGIN = '',
  ANDROID_APP = '',
  ANDROID_VERSION_CODE = '1',
  ANDROID_KEYSTORE = '',
  ANDROID_HOME = '',
} = process.env;
const [packageId = '', ...fingerprints] = ANDROID_APP.split(' ').filter(Boolean);
const isManifestOnly = process.argv.includes('--manifest-only');

/** Writes what is missing and ends with 1. */
function stopIfMissing(missing) {
  if (missing.length === 0) return;
  for (const line of missing) console.error(`Missing: ${line}`);
  process.exit(1);
}

/** True when the program answers. */
function runs(program, ...args) {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Bubblewrap's description of the app, from the web manifest. */
function twaManifest(web) {
  const at = (path) => new URL(path, PUBLIC_ORIGIN).href;
  const icon = (purpose) => at(web.icons.findLast((each) => each.purpose === purpose).src);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return {
    packageId,
    host: new URL(PUBLIC_ORIGIN).host,
    name: web.name,
    launcherName: web.short_name,
    display: web.display,
    themeColor: web.theme_color,
    themeColorDark: '#171b21',
    navigationColor: web.background_color,
    navigationColorDark: '#0e1115',
    navigationDividerColor: web.background_color,
    navigationDividerColorDark: '#0e1115',
    backgroundColor: web.background_color,
    startUrl: web.start_url,
    iconUrl: icon('any'),
    maskableIconUrl: icon('maskable'),
    monochromeIconUrl: icon('monochrome'),
    appVersion: version,
    // Google Play takes a code once, so each upload needs a higher one.
    appVersionCode: Number(ANDROID_VERSION_CODE),
    signingKey: { path: ANDROID_KEYSTORE || './android.keystore', alias: 'android' },
    splashScreenFadeOutDuration: 150,
    // Notifications then have the app's name, and Android asks for them as for any app.
    enableNotifications: true,
    shortcuts: web.shortcuts.map(({ name, short_name, url, icons }) => ({
      name,
      shortName: short_name,
      url: at(url),
      chosenIconUrl: at(icons[0].src),
    })),
    webManifestUrl: at('/manifest.webmanifest'),
    fullScopeUrl: at(web.scope),
    fallbackType: 'customtabs',
    features: {},
    // Absolute, as Bubblewrap has it.
    shareTarget: { ...web.share_target, action: at(web.share_target.action) },
    fileHandlers: web.file_handlers.map(({ action, accept }) => ({
      actionUrl: at(action),
      mimeTypes: Object.keys(accept),
    })),
    launchHandlerClientMode: web.launch_handler.client_mode,
    displayOverride: web.display_override,
    orientation: 'default',
    fingerprints: fingerprints.map((value) => ({ value })),
    generatorApp: 'bubblewrap-cli',
  };
}

stopIfMissing([
  ...(/^https:\/\/[^/]+$/.test(PUBLIC_ORIGIN) ? [] : ['PUBLIC_ORIGIN, the https origin of the installation']),
  ...(/^[a-z]\w*(\.[a-z]\w*)+$/i.test(packageId) ? [] : ['ANDROID_APP, which begins with the package name']),
  ...(/^[1-9]\d*$/.test(ANDROID_VERSION_CODE)
    ? []
    : ['ANDROID_VERSION_CODE, a whole number above that of the last upload']),
  ...(existsSync(WEB_MANIFEST) ? [] : ['the built app: npm run build']),
]);
mkdirSync(FOLDER, { recursive: true });
const target = join(FOLDER, 'twa-manifest.json');
writeFileSync(target, `${JSON.stringify(twaManifest(JSON.parse(readFileSync(WEB_MANIFEST, 'utf8'))), null, 2)}\n`);
console.error(`Written: ${target}`);
if (isManifestOnly) process.exit(0);

stopIfMissing([
  ...(runs('javac', '-version') ? [] : ['a JDK 17 with javac in PATH']),
  ...(ANDROID_HOME !== '' && existsSync(ANDROID_HOME)
    ? []
    : ["ANDROID_HOME, the folder of Android's SDK (command line tools)"]),
  ...(existsSync(ANDROID_KEYSTORE)
    ? []
    : ['ANDROID_KEYSTORE, the file with the upload key: keytool -genkeypair -alias android']),
  ...(process.env.BUBBLEWRAP_KEYSTORE_PASSWORD ? [] : ['BUBBLEWRAP_KEYSTORE_PASSWORD, the password of that file']),
  ...(process.env.BUBBLEWRAP_KEY_PASSWORD ? [] : ['BUBBLEWRAP_KEY_PASSWORD, the password of the key in it']),
]);
const bubblewrap = (...args) =>
  execFileSync('npx', ['--yes', BUBBLEWRAP, ...args], { cwd: FOLDER, stdio: ['ignore', 'inherit', 'inherit'] });
bubblewrap('updateConfig', '--jdkPath', process.env.JAVA_HOME ?? '/usr', '--androidSdkPath', ANDROID_HOME);
bubblewrap('update', '--skipVersionUpgrade', '--manifest', target);
bubblewrap('build', '--manifest', target, '--skipPwaValidation');
console.error(`Built: ${join(FOLDER, 'app-release-bundle.aab')} for Google Play, app-release-signed.apk for a phone`);
