/** The rows that apply to every bid. */

/** A sentence that applies to every tender. Each checklist has a row for it. */
interface StandingRow {
  id: string;
  en: string;
  hi: string;
  why?: string;
}

/** The rows of every checklist; `closes` is the day of closing. */
export const standingRows = (closes: string): StandingRow[] => [
  {
    id: 'originals',
    en: 'Originals (EMD, fee, affidavits): must they reach the office by hand? By when?',
    hi: 'मूल प्रतियाँ (EMD, फीस, शपथ-पत्र): क्या कार्यालय में जमा करनी हैं? कब तक?',
    why: 'Most common reason an office wrote down: originals not handed in. Portal lists almost never say it.',
  },
  {
    id: 'list_inside',
    en: 'I read the list inside the tender document, and every corrigendum.',
    hi: 'मैंने टेंडर दस्तावेज़ की सूची और सभी शुद्धिपत्र पढ़े।',
  },
  {
    id: 'dsc',
    en: `My DSC works today and is valid past ${closes}.`,
    hi: `मेरा DSC आज चल रहा है और ${closes} के बाद तक मान्य है।`,
  },
  {
    id: 'right_name',
    en: 'Every file opens, and is mine and for this work.',
    hi: 'हर फ़ाइल खुलती है, मेरी है और इसी काम की है।',
  },
  {
    id: 'no_price',
    en: 'No rate is written in the technical cover.',
    hi: 'तकनीकी कवर में कोई दर नहीं लिखी।',
  },
];
