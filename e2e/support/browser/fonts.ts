import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

const require = createRequire(import.meta.url);

const STYLES = ['400Regular', '500Medium', '600SemiBold', '700Bold'];
const googleFont = (name: string, family: string) =>
  STYLES.map((style) => require.resolve(`@expo-google-fonts/${name}/${style}/${family}_${style}.ttf`));

const NOTO = googleFont('noto-sans', 'NotoSans');
const DEJAVU = ['DejaVuSans', 'DejaVuSans-Bold', 'DejaVuSansMono'].map((name) =>
  require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`),
);

/** Font families: the font of most phones, and two wider fonts. */
export const FONTS = {
  Roboto: googleFont('roboto', 'Roboto'),
  'Noto Sans': [],
  'DejaVu Sans': [],
};
export type Font = keyof typeof FONTS;

/**
 * Writes fontconfig settings with which a browser uses the font. It also gets Noto (Devanagari) and DejaVu
 * (symbols), but no other font of the machine. Returns the path for FONTCONFIG_FILE. Systems without
 * fontconfig use their own fonts.
 */
export function writeFontSettings(folder: string, font: Font): string {
  const fonts = join(folder, 'fonts');
  mkdirSync(fonts, { recursive: true });
  for (const file of [...FONTS[font], ...NOTO, ...DEJAVU]) symlinkSync(file, join(fonts, basename(file)));
  const settings = join(folder, 'fonts.conf');
  writeFileSync(
    settings,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${fonts}</dir>
  <cachedir>${join(folder, 'cache')}</cachedir>
  <match target="pattern"><edit name="family" mode="prepend" binding="strong"><string>${font}</string></edit></match>
</fontconfig>
`,
  );
  return settings;
}
