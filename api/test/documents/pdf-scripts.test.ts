import { describe, expect, test } from 'vitest';
import { PdfDocument } from '../../src/pdf/pdf-document.ts';
import { pdfGlyphs, pdfItems, pdfMarkedTexts, pdfPages, pdfText } from '../support/pdf-text.ts';

const write = (...texts: string[]): Promise<Buffer> => {
  const pdf = new PdfDocument('Names', new Date('2026-11-10T12:00:00+05:30'));
  for (const text of texts) pdf.text(text).text(text, { bold: true });
  return pdf.finish();
};

describe('a name is printed in its own script', () => {
  test.each([
    ['Assamese', 'ৰমেন শইকীয়া', 'ক্ষীৰোদ চন্দ্ৰ'],
    ['Bengali', 'রহিম উদ্দিন', 'শ্রী সংস্কৃতি চন্দ্রকোণা'],
    ['Bodo', 'बिजित बसुमतारी', 'हांख्राय'],
    ['Dogri', 'सुच्चा सिंह', 'ज्योति'],
    ['Gujarati', 'ગુજરાત', 'શ્રી કૃષ્ણ ક્ષત્રિય'],
    ['Hindi', 'श्रीमती क्षमा द्विवेदी', 'ज्ञानेन्द्र। ॐ'],
    ['Kannada', 'ಮಂಜುನಾಥ್', 'ಲಕ್ಷ್ಮೀ ಜ್ಞಾನ ರಾಜ್\u200cಕುಮಾರ್'],
    ['Kashmiri', 'غُلام نَبی', 'کٲشُر'],
    ['Konkani', 'ज्योकीम फर्नांडिस', 'कृष्णा'],
    ['Maithili', 'विद्यापति ठाकुर', 'मिश्र'],
    ['Malayalam', 'മലയാളം', 'കൃഷ്ണൻ ലക്ഷ്മി സുരേഷ്'],
    ['Manipuri', 'ꯃꯅꯤꯄꯨꯔ', 'ꯂꯥꯏꯁ꯭ꯔꯝ ꯏꯕꯣꯝꯆꯥ'],
    ['Marathi', 'ज्ञानेश्वर काळे', 'र्\u200dय'],
    ['Nepali', 'कृष्ण बहादुर क्षेत्री', 'ज्ञवाली'],
    ['Odia', 'ଜଗନ୍ନାଥ', 'ଲକ୍ଷ୍ମୀ ପଟ୍ଟନାୟକ'],
    ['Punjabi', 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ', 'ਸ਼੍ਰੀ ਪੰਜਾਬ'],
    ['Sanskrit', 'कृष्णः', 'ॐ श्रीः।'],
    ['Santali', 'ᱥᱟᱱᱛᱟᱲᱤ', 'ᱢᱩᱨᱢᱩ'],
    ['Sindhi', 'سنڌي', 'ڀارت ۱۲۳'],
    ['Tamil', 'முருகன்', 'ஸ்ரீ லக்ஷ்மி'],
    ['Telugu', 'శ్రీనివాస్', 'జ్ఞాన వెంకటేశ్వర్లు'],
    ['Urdu', 'محمد علی', 'پٹھان چودھری'],
  ])('in %s without an empty box, also among Latin letters and digits', async (_, name, other) => {
    const glyphs = await pdfGlyphs(await write(name, `M/s ${name} & ${other}, Ward 12 (₹5,899)`));
    expect(glyphs.length).toBeGreaterThan(60);
    expect(glyphs).not.toContain(0);
  });

  test('conjuncts are joined: fewer glyphs than letters', async () => {
    for (const [name, glyphs] of [
      ['ক্ষ', 1],
      ['क्षत्रिय', 4],
      ['জ্ঞান', 3],
    ] as const)
      expect((await pdfGlyphs(await write(name))).length, name).toBe(2 * glyphs);
  });

  test('a name is copied and read aloud as it was written', async () => {
    const names = ['श्रीमती क्षमा द्विवेदी', 'সংস্কৃতি চন্দ্রকোণা', 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ', 'വെങ്കിടേശ്വരൻ'];
    const texts = pdfMarkedTexts(await write(...names));
    expect(texts).toEqual(names.flatMap((name) => [name, name]));
  });

  test('Urdu is read from right to left, a number in it from left to right', async () => {
    const file = await write('محمد علی 12');
    expect(await pdfText(file)).toContain('محمد علی');
    const lefts = new Map((await pdfItems(file)).map(({ text, left }) => [text.trim(), left]));
    expect(lefts.get('12')).toBe(48);
    expect(lefts.get('محمد علی')).toBeGreaterThan(58);
  });

  test('an Urdu name between Latin words is where it belongs, and its words are in their order', async () => {
    expect(await pdfText(await write('M/s محمد علی & Sons (Mandi)'))).toContain('M/s محمد علی & Sons (Mandi)');
  });
});

test('a letter of no script of India is a question mark, another form of a letter is that letter, a mark of no font is left out', async () => {
  const file = await write('Asha 李 Verma😀, ① ﬁrst №5 φ12 Jose\u0301 \u2764\ufe0f');
  expect(await pdfText(file)).toContain('Asha ? Verma?, 1 first №5 φ12 José ?');
  expect(await pdfGlyphs(file)).not.toContain(0);
});

test('a file has the fonts of its own scripts only', async () => {
  const fonts = async (text: string) => {
    const names = (await write(text)).toString('latin1').matchAll(/\/BaseFont \/\w+\+([\w-]+)/g);
    return new Set(Array.from(names, ([, name]) => name));
  };
  expect(await fonts('Asha')).toEqual(new Set(['NotoSans-Regular', 'NotoSans-Bold']));
  expect(await fonts('முருகன்')).toEqual(new Set(['NotoSansTamil-Regular', 'NotoSansTamil-Bold']));
});

test('a text that is longer than its column goes on in the next line, and over the end of a page', async () => {
  const pdf = new PdfDocument('Lines', new Date(0));
  pdf.fact('Name', 'ज्ञानेन्द्र क्षत्रिय '.repeat(450)).fact('Word', 'Giri'.repeat(60)).fact('Last', 'line');
  const pages = await pdfPages(await pdf.finish());
  expect(pages).toHaveLength(2);
  expect(pages[1]).toMatch(/Last line$/);
  expect(pages[1]?.match(/Giri/g)?.length).toBeGreaterThan(50);
});
