import { describe, expect, test } from 'vitest';
import { repairMojibake } from './mojibake.ts';
import { cleanText, truncatedText } from './normalise.ts';

/** The text as a program shows it that takes its UTF-8 bytes for another encoding. */
const misread = (text: string, encoding: string) =>
  encoding === 'latin1' ? Buffer.from(text).toString('latin1') : new TextDecoder(encoding).decode(Buffer.from(text));

const TEXTS = [
  'Road – phase 2',
  '“Boundary wall” at the CM’s residence…',
  '₹ 12,34,567',
  'ग्राम पंचायत में सड़क निर्माण',
  'ਪੰਜਾਬ ਮੰਡੀ ਬੋਰਡ',
  'কাম আৰু ৰাস্তা',
  'ગુજરાત માર્ગ',
  'ସଡ଼କ ନିର୍ମାଣ',
  'சாலை பணி',
  'రోడ్డు పనులు',
  'ಕರ್ನಾಟಕ ರಸ್ತೆ',
  'കേരളം റോഡ്',
  'Café at 45° ± 2, 3 × 4 m², ½ inch',
  '• item → next',
];

describe('text that was read in a wrong encoding is repaired', () => {
  test.each(TEXTS)('%s', (text) => {
    for (const encoding of ['windows-1252', 'latin1']) {
      expect(repairMojibake(misread(text, encoding))).toBe(text);
      expect(repairMojibake(misread(misread(text, encoding), encoding))).toBe(text);
    }
  });

  test('next to correct text, in titles and other cells', () => {
    expect(cleanText('Café â€“ नाली &amp; à¤¨à¤¾à¤²à¥€')).toBe('Café – नाली & नाली');
  });

  test('and a long repaired title is not taken for one that the portal cut', () => {
    const title = 'सड़क निर्माण कार्य '.repeat(8).trim();
    expect(truncatedText(misread(title, 'windows-1252'))).toBe(title);
  });
});

test.each([
  ...TEXTS,
  'São Paulo, Málaga, NAÇÕES',
  'É “quoted” À ‘so’',
  'Ü“Gruß” €5 ¿qué?',
  'Ã alone, â alone, à la carte',
  'à¤',
  'â€',
  // Bytes of a script that no portal of India uses.
  misread('中文', 'windows-1252'),
])('text that is not certainly wrong stays: %s', (text) => {
  expect(repairMojibake(text)).toBe(text);
});
