import { describe, expect, test } from 'vitest';
import { foldText } from '../terms.ts';
import { createWordsBySound } from './transliteration.ts';

const WORDS = [
  ...['road', 'rod', 'red', 'bridge', 'tender', 'interlocking', 'repair', 'construction', 'water', 'wall', 'well'],
  ...['irrigation', 'scheme', 'security', 'supply', 'computer', 'block', 'black', 'light', 'generator', 'highway'],
  ...['maintenance', 'building', 'hospital', 'equipment', 'special', 'drainage', 'garden', 'nagaon', 'kullu'],
  ...['sundargarh', 'karimganj', 'dibrugarh', 'rohru', 'chamba', 'overhead', 'jorhat'],
];
const find = createWordsBySound(() => WORDS);
const closest = (text: string) => find(foldText(text))[0]?.word;

describe('a word that an Indian script writes', () => {
  test.each(
    [
      'रोड=road ब्रिज=bridge टेंडर=tender इंटरलॉकिंग=interlocking रिपेयर=repair कंस्ट्रक्शन=construction',
      'वाटर=water वॉटर=water वॉल=wall वेल=well इरिगेशन=irrigation स्कीम=scheme सिक्योरिटी=security सप्लाई=supply',
      'कंप्यूटर=computer लाइट=light जनरेटर=generator हाईवे=highway मेंटेनेंस=maintenance बिल्डिंग=building',
      'हॉस्पिटल=hospital इक्विपमेंट=equipment स्पेशल=special ड्रेनेज=drainage ओवरहेड=overhead',
      'नगांव=nagaon कुल्लू=kullu सुंदरगढ़=sundargarh करीमगंज=karimganj डिब्रूगढ़=dibrugarh रोहड़ू=rohru चंबा=chamba',
      'জোৰহাট=jorhat ಗಾರ್ಡನ್=garden',
    ].flatMap((line) => line.split(' ').map((pair) => pair.split('=') as [string, string])),
  )('%s is %s', (written, word) => expect(closest(written)).toBe(word));

  test.each(['road', '', 'नाली', 'क', 'रोड road', '२०२५'])('%j is none of them', (text) => {
    expect(find(foldText(text))).toEqual([]);
  });

  test('has a cost for each sound that differs', () => {
    expect(find('ब्लाक')).toEqual([
      { word: 'black', cost: 0 },
      { word: 'block', cost: 0 },
    ]);
    expect(find('वेल')).toEqual([
      { word: 'well', cost: 0 },
      { word: 'wall', cost: 1 },
    ]);
  });
});
