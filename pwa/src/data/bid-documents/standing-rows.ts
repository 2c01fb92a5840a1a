/** The rows that apply to every bid. */
import { t } from '@lingui/core/macro';

/** A sentence that applies to every tender. Each checklist has a row for it. */
interface StandingRow {
  id: string;
  name: string;
  hindi: string;
  why?: string;
}

/** The rows of every checklist. `closes` is the day of closing; null for an own entry without a closing. */
export const standingRows = (closes: string | null): StandingRow[] => [
  {
    id: 'originals',
    name: t`Originals (EMD, fee, affidavits): must they reach the office by hand? By when?`,
    hindi: 'मूल प्रतियाँ (EMD, फीस, शपथ-पत्र): क्या कार्यालय में जमा करनी हैं? कब तक?',
    why: t`Most common reason an office wrote down: originals not handed in. Portal lists almost never say it.`,
  },
  {
    id: 'list_inside',
    name: t`I read the list inside the tender document, and every corrigendum.`,
    hindi: 'मैंने टेंडर दस्तावेज़ की सूची और सभी शुद्धिपत्र पढ़े।',
  },
  {
    id: 'dsc',
    name: closes
      ? t`My DSC works today and is valid past ${closes}.`
      : t`My DSC works today and is valid past the closing.`,
    hindi: `मेरा DSC आज चल रहा है और ${closes ?? 'अंतिम तिथि'} के बाद तक मान्य है।`,
  },
  {
    id: 'right_name',
    name: t`Every file opens, and is mine and for this work.`,
    hindi: 'हर फ़ाइल खुलती है, मेरी है और इसी काम की है।',
  },
  {
    id: 'no_price',
    name: t`No rate is written in the technical cover.`,
    hindi: 'तकनीकी कवर में कोई दर नहीं लिखी।',
  },
];
