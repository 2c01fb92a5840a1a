/** Words of dates, times and amounts by language. Digits are Latin and grouped in the Indian way in all of them. */
import { currentLanguage } from './i18n.ts';
import type { Language } from './languages.ts';

interface FormatWords {
  months: readonly string[];
  /** From Sunday on. */
  weekdays: readonly string[];
  /** Between a weekday and its date. */
  afterWeekday: string;
  lakh: string;
  crore: string;
  /** A time of a clock with 12 hours, such as '11:00', in the given hour of the day, 0 to 23. */
  time: (clock: string, hour: number) => string;
  /** An hour at an end of a row of hours: '9 AM', without a word where it would be too wide. */
  hour: (clock: string, hour: number) => string;
  /** Makes a time the end of a period. */
  until: (time: string) => string;
}

/** The part of the day of an hour, 0 to 23. */
const hindiDayPart = (hour: number): string =>
  hour < 4 || hour >= 20 ? 'रात' : hour < 12 ? 'सुबह' : hour < 16 ? 'दोपहर' : 'शाम';

const WORDS: Readonly<Record<Language, FormatWords>> = {
  en: {
    months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
    weekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
    afterWeekday: ' ',
    lakh: 'Lakh',
    crore: 'Cr',
    time: (clock, hour) => `${clock} ${hour < 12 ? 'AM' : 'PM'}`,
    hour: (clock, hour) => `${clock} ${hour < 12 ? 'AM' : 'PM'}`,
    until: (time) => time,
  },
  hi: {
    months: ['जनवरी', 'फ़रवरी', 'मार्च', 'अप्रैल', 'मई', 'जून', 'जुलाई', 'अगस्त', 'सितंबर', 'अक्टूबर', 'नवंबर', 'दिसंबर'],
    weekdays: ['रविवार', 'सोमवार', 'मंगलवार', 'बुधवार', 'गुरुवार', 'शुक्रवार', 'शनिवार'],
    afterWeekday: ', ',
    lakh: 'लाख',
    crore: 'करोड़',
    time: (clock, hour) => `${hindiDayPart(hour)} ${clock} बजे`,
    hour: (clock) => clock,
    until: (time) => `${time} तक`,
  },
};

/** The words of the present language, or of the given one. */
export const formatWords = (language: Language = currentLanguage()): FormatWords => WORDS[language];
