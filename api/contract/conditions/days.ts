/** Days of closing and of publication in a typed text: 'closing today', 'somvar tak', 'since yesterday', '3 दिन में बंद'. */
import { indianDay } from '../format.ts';
import { DAY_MS } from '../time.ts';
import { readNumber } from './amounts.ts';
import { type Found, phraseFinder, skipWords, type Token, wordSet } from './tokens.ts';

/** Indian days as `indianDay` counts them, both included; null: no bound. */
export interface DayRange {
  from: number | null;
  to: number | null;
}

/** Tokens `start` to `end` (exclusive) are such a condition. */
export interface FoundDays extends DayRange {
  kind: 'closing' | 'published';
  start: number;
  end: number;
}

type Relation = 'on' | 'by' | 'before' | 'since' | 'after';

/** A time as written, before its direction is known: the days if it is in the future, and if it is in the past. */
interface WrittenTime {
  coming: DayRange;
  past: DayRange;
  /** 'week' and 'ahead' mean a closing without another word; 'behind' means a publication. */
  kind: 'today' | 'yesterday' | 'tomorrow' | 'kal' | 'day' | 'weekday' | 'week' | 'ahead' | 'behind';
  to: number;
  /** Set for a time that needs a word of closing or publication next to it: 'sun', '20/12'. */
  needsCue?: boolean;
  /** Set for a date with its year, which may be the end of a contract. */
  isOfYear?: boolean;
}

const CLOSING_WORDS =
  'closing date,closing,closes,close,closed,closing on,last date,last day,last dt,due date,due on,due,deadline,dead line,ending,ends,end date,end,' +
  'expiring,expires,expire,expiry,apply,bharna,bharne,bharni,भरना,आवेदन,bid submission,submission,submission date,submission end date,submit,bid end date,' +
  'antim tithi,antim tarikh,antim din,aakhri tarikh,aakhri tareekh,akhri tarikh,akhri tareekh,aakhri din,akhri din,aakhiri tarikh,aakhiri din,akhiri tarikh,' +
  'last tarikh,last din,band,bandh,khatam,khatm,samapt,jama,band hone,closing wale,' +
  'बंद,बन्द,अंतिम तिथि,अंतिम तारीख,अंतिम दिन,आखिरी तारीख,आखिरी तिथि,आखिरी दिन,अन्तिम तिथि,लास्ट डेट,समाप्त,खत्म,जमा,क्लोजिंग,क्लोज';
const PUBLISHED_WORDS =
  'published,publish,publised,posted,uploaded,upload,released,issued,floated,added,listed,announced,came,new,newly,naye,naya,nayi,nai,nye,' +
  'aaye,aaya,aayi,aye,aaye hue,aaye hain,nikle,nikla,nikli,nikale,jaari,jari,prakashit,chhape,chape,dale,' +
  'प्रकाशित,जारी,आए,आये,आई,आया,निकले,निकला,निकली,नए,नये,नया,नई,नयी,छपे,पब्लिश,आए हुए';
const findCuePhrase = phraseFinder<'closing' | 'published' | null>([
  ['closing', CLOSING_WORDS],
  ['published', PUBLISHED_WORDS],
  [null, 'due to,end to,end of,new to'],
]);
function findCue(tokens: readonly Token[], at: number): Found<FoundDays['kind']> | undefined {
  const found = findCuePhrase(tokens, at);
  return found?.value ? { value: found.value, to: found.to } : undefined;
}
const IS_LONGER_CUE = wordSet('date day on');

const findRelationBefore = phraseFinder<Relation>([
  ['on', 'on,for'],
  ['by', 'by,till,until,upto,up to,uptil,not later than,latest by'],
  ['before', 'before,prior to'],
  ['since', 'since,from,starting,from the'],
  ['after', 'after'],
]);
const findRelationAfter = phraseFinder<Relation>([
  ['on', 'ko,को,ke din,के दिन,ki,की,ka,का,ke,के,me,mein,mai,में,मे'],
  ['by', 'tak,tk,तक,tak ki,tak ke,तक की,तक के'],
  ['before', 'se pehle,se pahle,ke pehle,ke pahle,से पहले,के पहले'],
  ['since', 'se,से,se ab tak,onwards,से अब तक'],
  ['after', 'ke baad,ke bad,के बाद'],
]);

const findDay = phraseFinder<WrittenTime['kind']>([
  ['today', "today,todays,today's,tonight,aaj,aj,aaaj,आज"],
  ['tomorrow', "tomorrow,tomorow,tommorow,tommorrow,tmrw,tomorrow's,aane wale kal,aane wala kal"],
  ['yesterday', "yesterday,yesterdays,yesterday's,beete kal,bite kal,बीते कल"],
  ['kal', 'kal,कल'],
]);
const findFixedDay = phraseFinder<number>([[2, 'day after tomorrow,parso,parson,parsoon,परसों']]);

type Period = 'week' | 'month' | 'weekend';
const findPeriod = phraseFinder<readonly [Period, -1 | 0 | 1]>([
  [
    ['week', 0],
    "this week,this weeks,this week's,current week,is hafte,is hafta,iss hafte,is week,is saptah,isi hafte,is haftey,इस हफ्ते,इस हफ़्ते,इस सप्ताह,इसी हफ्ते",
  ],
  [['week', 1], 'next week,coming week,agle hafte,agle saptah,aane wale hafte,अगले हफ्ते,अगले सप्ताह'],
  [
    ['week', -1],
    'last week,previous week,past week,pichhle hafte,pichle hafte,pichhle saptah,pichle saptah,पिछले हफ्ते,पिछले सप्ताह',
  ],
  [
    ['month', 0],
    "this month,this month's,current month,is mahine,is month,is maah,is mah,month end,end of month,end of the month,end of this month,mahine ke ant,इस महीने,इस माह",
  ],
  [['month', 1], 'next month,coming month,agle mahine,agle maah,अगले महीने,अगले माह'],
  [['month', -1], 'last month,previous month,past month,pichhle mahine,pichle mahine,पिछले महीने,पिछले माह'],
  [['weekend', 0], 'weekend,this weekend,week end'],
]);

const WEEKDAYS: readonly (readonly [number, string])[] = [
  [1, 'monday,somvar,somwar,somvaar,somwaar,सोमवार'],
  [2, 'tuesday,mangalvar,mangalwar,mangalvaar,mangal var,मंगलवार'],
  [3, 'wednesday,budhvar,budhwar,budhvaar,budhwaar,बुधवार'],
  [4, 'thursday,guruvar,guruwar,guruvaar,brihaspativar,brihaspatiwar,veervar,virvar,गुरुवार,गुरूवार,बृहस्पतिवार,वीरवार'],
  [5, 'friday,shukravar,shukrawar,shukravaar,shukrwar,shukrvar,jumma,शुक्रवार'],
  [6, 'saturday,shanivar,shaniwar,shanivaar,sanivar,शनिवार'],
  [0, 'sunday,ravivar,raviwar,ravivaar,itvar,itwar,etwar,रविवार,इतवार'],
];
const findWeekday = phraseFinder<number>(WEEKDAYS);
const findShortWeekday = phraseFinder<number>([
  [1, 'mon'],
  [2, 'tue,tues'],
  [3, 'wed'],
  [4, 'thu,thur,thurs'],
  [5, 'fri'],
  [6, 'sat'],
  [0, 'sun'],
]);
const WORDS_BEFORE_WEEKDAY = wordSet(
  'last pichhle pichle past पिछले next this coming is iss agle agla aane aanewale isi इस अगले the',
);

const NAMING_WORDS = wordSet('next this coming is iss agle agla aane isi इस अगले');
const NEXT_WORDS = wordSet('next agle agla अगले');

const findMonth = phraseFinder<number>(
  [
    'january,jan,janvari,janwari,जनवरी',
    'february,feb,farvari,farwari,फरवरी',
    'march,mar,मार्च',
    'april,apr,aprail,अप्रैल',
    'may,mai,मई',
    'june,jun,जून',
    'july,jul,julai,जुलाई',
    'august,aug,agast,अगस्त',
    'september,sep,sept,sitambar,सितंबर',
    'october,oct,oktober,aktubar,अक्टूबर,अक्तूबर',
    'november,nov,navambar,नवंबर',
    'december,dec,disambar,दिसंबर',
  ].map((names, month) => [month, names] as const),
);
const ORDINALS = wordSet('st nd rd th');
const IN_DATE = wordSet('of - ,');
const BEFORE_YEAR = wordSet(', -');
const ARTICLE = wordSet('the');
const RANGE_STARTS = wordSet('between from');
const RANGE_ENDS = wordSet('tak ke beech bich तक के बीच');

const findUnit = phraseFinder<number>([
  [1, 'days,day,din,dino,dinon,दिन,दिनों,days time'],
  [7, 'weeks,week,hafte,hafta,haftey,hafton,saptah,हफ्ते,हफ्तों,सप्ताह'],
  [30, 'months,month,mahine,mahina,maah,महीने,माह'],
  [1 / 24, 'hours,hour,hrs,ghante,ghanta,ghanto,घंटे,घंटों'],
]);
const findAhead = phraseFinder<'ahead' | 'behind'>([
  [
    'ahead',
    'in less than,within less than,less than,in next,within next,in the next,within the next,in,within,next,agle,aane wale,aanewale,coming,अगले,आने वाले,under',
  ],
  [
    'behind',
    'in last,in past,in the last,in the past,within last,from last,last,past,pichhle,pichle,pichhley,पिछले,since last,since',
  ],
]);
const findLater = phraseFinder([[true, 'baad,bad,ke baad,ke bad,बाद,के बाद,later,from now']]);
const findAheadAfter = phraseFinder<'ahead' | 'behind'>([
  [
    'ahead',
    'me,mein,mai,main,में,मे,ke andar,ke ander,ke bheetar,ke bhitar,के अंदर,के भीतर,left,remaining,baaki,baki,bache,tak,तक',
  ],
  ['behind', 'ago,se,से,pehle,pahle,पहले,old'],
]);

const MAX_DAYS = 365;
const DAYS_OF_WEEK = 7;
/** Weekday of an Indian day, 0 is Sunday: 1 January 1970 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 4) % DAYS_OF_WEEK) + DAYS_OF_WEEK) % DAYS_OF_WEEK;
const mondayOf = (day: number): number => day - ((weekdayOf(day) + 6) % DAYS_OF_WEEK);
const dayOfDate = (year: number, month: number, date: number): number =>
  Math.floor(Date.UTC(year, month, date) / DAY_MS);
const isDate = (year: number, month: number, date: number): boolean => {
  const at = new Date(Date.UTC(year, month, date));
  return at.getUTCMonth() === month && at.getUTCDate() === date;
};
const dateOf = (day: number): { year: number; month: number; date: number } => {
  const at = new Date(day * DAY_MS);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth(), date: at.getUTCDate() };
};
const one = (day: number): DayRange => ({ from: day, to: day });
const textAt = (tokens: readonly Token[], at: number): string => tokens[at]?.text ?? '';

/** A time that begins at `at`, on the Indian day `today`. */
function readTime(tokens: readonly Token[], at: number, today: number): WrittenTime | undefined {
  return (
    readNamedDay(tokens, at, today) ??
    readPeriod(tokens, at, today) ??
    readDate(tokens, at, today) ??
    readWeekday(tokens, at, today) ??
    readNumberOfDays(tokens, at, today)
  );
}

function readNamedDay(tokens: readonly Token[], at: number, today: number): WrittenTime | undefined {
  const fixed = findFixedDay(tokens, at);
  if (fixed) return { kind: 'kal', coming: one(today + fixed.value), past: one(today - fixed.value), to: fixed.to };
  const found = findDay(tokens, at);
  if (!found) return undefined;
  const { value: kind, to } = found;
  const offsets = { today: [0, 0], tomorrow: [1, 1], yesterday: [-1, -1], kal: [1, -1] } as const;
  const [coming, past] = offsets[kind as keyof typeof offsets];
  return { kind, coming: one(today + coming), past: one(today + past), to };
}

function readPeriod(tokens: readonly Token[], at: number, today: number): WrittenTime | undefined {
  const found = findPeriod(tokens, at);
  if (!found) return undefined;
  const [period, offset] = found.value;
  const range = periodDays(period, offset, today);
  const coming = offset === 0 ? { from: Math.max(range.from, today), to: range.to } : range;
  const past = offset === 0 ? { from: range.from, to: today } : range;
  // 'weekend' alone is a word, 'by weekend' is not.
  const isNamed = WORDS_BEFORE_WEEKDAY.has(textAt(tokens, at)) || offset !== 0 || textAt(tokens, at) === 'current';
  return { kind: offset < 0 ? 'behind' : isNamed ? 'week' : 'weekday', coming, past, to: found.to };
}

function periodDays(period: Period, offset: number, today: number): { from: number; to: number } {
  const monday = mondayOf(today) + offset * DAYS_OF_WEEK;
  if (period === 'week') return { from: monday, to: monday + 6 };
  if (period === 'weekend') return { from: monday + 5, to: monday + 6 };
  const { year, month } = dateOf(today);
  return { from: dayOfDate(year, month + offset, 1), to: dayOfDate(year, month + offset + 1, 1) - 1 };
}

/** '20 dec', 'dec 20', '20th december 2025', '20/12/2025', '20/12', '20 tarikh'. */
function readDate(tokens: readonly Token[], at: number, today: number): WrittenTime | undefined {
  const token = tokens[at];
  if (token?.kind === 'date') {
    const parts = token.text.split(/[./-]/).map(Number) as [number, number, number];
    const [year, month, date] = token.text.includes('-') && parts[0] > 31 ? parts : [parts[2], parts[1], parts[0]];
    return dated(year < 100 ? year + 2000 : year, month - 1, date, at + 1, today);
  }
  const month = findMonth(tokens, at);
  if (month) {
    const date = dayNumber(tokens, month.to);
    return (
      date &&
      dated(yearAt(tokens, date.to)?.year, month.value, date.number, yearAt(tokens, date.to)?.to ?? date.to, today)
    );
  }
  const date = dayNumber(tokens, at);
  if (!date) return undefined;
  const next = skipWords(tokens, date.to, IN_DATE);
  const named = findMonth(tokens, next);
  if (named) {
    const year = yearAt(tokens, named.to);
    return dated(year?.year, named.value, date.number, year?.to ?? named.to, today);
  }
  if (['tarikh', 'tareekh', 'तारीख'].includes(textAt(tokens, date.to))) {
    const now = dateOf(today);
    const month = date.number >= now.date ? now.month : now.month + 1;
    const past = date.number <= now.date ? now.month : now.month - 1;
    return {
      kind: 'day',
      coming: one(dayOfDate(now.year, month, date.number)),
      past: one(dayOfDate(now.year, past, date.number)),
      to: date.to + 1,
    };
  }
  const other = textAt(tokens, date.to) === '/' ? tokens[date.to + 1] : undefined;
  if (other?.kind === 'number' && /^\d{1,2}$/.test(other.text) && textAt(tokens, date.to + 2) !== '/')
    return dated(undefined, Number(other.text) - 1, date.number, date.to + 2, today, { needsCue: true });
  return undefined;
}

/** A number of a day with its ordinal. */
function dayNumber(tokens: readonly Token[], at: number): { number: number; to: number } | undefined {
  const token = tokens[at];
  if (token?.kind !== 'number' || !/^\d{1,2}$/.test(token.text)) return undefined;
  const number = Number(token.text);
  if (number < 1 || number > 31 || (token.isTight && tokens[at - 1]?.kind === 'word')) return undefined;
  return { number, to: ORDINALS.has(textAt(tokens, at + 1)) ? at + 2 : at + 1 };
}

function yearAt(tokens: readonly Token[], at: number): { year: number; to: number } | undefined {
  const next = skipWords(tokens, at, BEFORE_YEAR);
  const token = tokens[next];
  return token?.kind === 'number' && /^20\d\d$/.test(token.text)
    ? { year: Number(token.text), to: next + 1 }
    : undefined;
}

/** A date. Without a year it is the next or the last such day. */
function dated(
  year: number | undefined,
  month: number,
  date: number,
  to: number,
  today: number,
  more: Pick<WrittenTime, 'needsCue'> = {},
): WrittenTime | undefined {
  const present = dateOf(today).year;
  if (!isDate(year ?? present, month, date)) return undefined;
  if (year !== undefined) {
    const day = one(dayOfDate(year, month, date));
    return { kind: 'day', coming: day, past: day, to, isOfYear: true };
  }
  const own = dayOfDate(present, month, date);
  // A date in the last months is in the past, because nothing closes ten months ahead.
  const coming = own < today - MAX_DAYS / 4 ? dayOfDate(present + 1, month, date) : own;
  const past = own > today ? dayOfDate(present - 1, month, date) : own;
  return { kind: 'day', coming: one(coming), past: one(past), to, ...more };
}

function readWeekday(tokens: readonly Token[], at: number, today: number): WrittenTime | undefined {
  const start = skipWords(tokens, at, WORDS_BEFORE_WEEKDAY);
  const long = findWeekday(tokens, start);
  const found = long ?? findShortWeekday(tokens, start);
  if (!found) return undefined;
  const isNext = tokens.slice(at, start).some(({ text }) => NEXT_WORDS.has(text));
  // On a Monday 'next Monday' is not today.
  const first = isNext ? today + 1 : today;
  const ahead = first - today + ((found.value - weekdayOf(first) + DAYS_OF_WEEK) % DAYS_OF_WEEK);
  const behind = (weekdayOf(today) - found.value + DAYS_OF_WEEK) % DAYS_OF_WEEK;
  const isNamed = tokens.slice(at, start).some(({ text }) => NAMING_WORDS.has(text));
  return {
    kind: isNamed ? 'week' : 'weekday',
    coming: one(today + ahead),
    past: one(today - behind),
    to: found.to,
    ...(!long && { needsCue: true }),
  };
}

/** 'in 3 days', 'last 2 weeks', '3 din me', 'अगले 5 दिन'. */
function readNumberOfDays(tokens: readonly Token[], at: number, today: number): WrittenTime | undefined {
  const before = findAhead(tokens, at);
  const start = before?.to ?? at;
  const token = tokens[start];
  const written = textAt(tokens, start);
  const isArticle = before !== undefined && (written === 'a' || written === 'an');
  const number = isArticle ? { value: 1, to: start + 1 } : readNumber(tokens, start);
  if (number === undefined || (token?.isTight && tokens[start - 1]?.kind === 'word')) return undefined;
  const unit = findUnit(tokens, number.to);
  if (!unit) return undefined;
  const days = Math.ceil(number.value * unit.value);
  if (days > MAX_DAYS) return undefined;
  const later = before ? undefined : findLater(tokens, unit.to);
  if (later) return { kind: 'day', coming: one(today + days), past: one(today + days), to: later.to, needsCue: true };
  const behind = findAheadAfter(tokens, unit.to);
  const side = before?.value ?? behind?.value;
  const range = { coming: { from: null, to: today + days }, past: { from: today - days, to: null } };
  // 'within 6 months' is the duration of a work.
  const needsCue = side === undefined || (side === 'ahead' && unit.value > DAYS_OF_WEEK);
  return { ...range, kind: side ?? 'day', to: behind?.to ?? unit.to, ...(needsCue && { needsCue }) };
}

/** Between a word of closing or publication and its time. */
const BETWEEN = wordSet(
  'hi bhi shaam sham subah raat evening morning night ही शाम सुबह is are was the : - in ko ke ki ka hone ho rahe rahi raha hue hui hua hai hain wale wali wala vale vali date tender tenders bid bids on of at ' +
    'को के की का होने हो रहे रही हुए हुई है हैं वाले वाली वाला टेंडर निविदा निविदाएं',
);
/** After both. */
const TAIL = wordSet(
  'hone ho hoge honge hoga jayenge jayega jaye jayegi rahe rahi raha hue hui hua hai hain wale wali wala vale vali vala ki ka ke ko hona kare karna ' +
    'होने हो रहे रही रहा हुए हुई है हैं वाले वाली वाला होंगे होगा की का के को',
);
const FOR_ITSELF: ReadonlySet<WrittenTime['kind']> = new Set(['week', 'ahead', 'tomorrow']);
/** Words for the duration of a work: 'completed in 30 days'. */
const WORK_TIME = wordSet(
  'completion complete completed training programme program amc warranty period hire hiring rent duration contract',
);
const TENDER_WORDS = wordSet('tender tenders bid bids nit nits notice notices टेंडर निविदा निविदाएं टेण्डर');

/** A condition whose first token is at `at`; `now` decides what today is. */
export function readDays(tokens: readonly Token[], at: number, now: Date): FoundDays | undefined {
  const today = indianDay(now);
  const cue = findCue(tokens, at);
  if (cue) {
    const start = skipWords(tokens, cue.to, IS_LONGER_CUE);
    const read = readTimeNear(tokens, start, today);
    if (read) {
      // In 'naye aaj band hone wale' the word of closing after the time is meant.
      const next = cue.value === 'published' ? findCue(tokens, skipWords(tokens, read.to, BETWEEN)) : undefined;
      const isOther = next?.value === 'closing' && !readTimeNear(tokens, next.to, today);
      if (!isOther) return toCondition(cue.value, read, at, tailEnd(tokens, read.to));
    }
  }
  const read = readRelatedTime(tokens, at, today);
  if (!read) return undefined;
  const behind = findCue(tokens, skipWords(tokens, read.to, BETWEEN));
  // In 'closing today new in solan' a word before another time belongs to that time.
  const isDue = textAt(tokens, (behind?.to ?? 0) - 1) === 'due';
  if (behind && !isDue && !readTimeNear(tokens, behind.to, today))
    return toCondition(behind.value, read, at, tailEnd(tokens, behind.to));
  const kind = kindWithoutCue(tokens, at, read);
  return kind && toCondition(kind, read, at, tailEnd(tokens, read.to));
}

/** The first time from `at` on, if only small words are before it. */
function readTimeNear(tokens: readonly Token[], at: number, today: number): RelatedTime | undefined {
  const last = skipWords(tokens, at, BETWEEN);
  for (let start = at; start <= last; start += 1) {
    const read = readRelatedTime(tokens, start, today);
    if (read) return read;
  }
  return undefined;
}

const tailEnd = (tokens: readonly Token[], at: number) => skipWords(tokens, at, TAIL);

interface RelatedTime extends WrittenTime {
  relation: Relation | null;
  /** A range such as '15 to 20 dec'. */
  end?: WrittenTime;
}

const PARTS_OF_DAY = wordSet('hi shaam sham subah raat evening morning night ही शाम सुबह रात');

/** A time with the word before or after it: 'by monday', 'somvar tak', 'between 15 and 20 dec'. */
function readRelatedTime(tokens: readonly Token[], at: number, today: number): RelatedTime | undefined {
  const range = readDateRange(tokens, at, today);
  if (range) return range;
  const whole = readTime(tokens, at, today);
  const before = whole?.kind === 'ahead' || whole?.kind === 'behind' ? undefined : findRelationBefore(tokens, at);
  const time = before ? readTime(tokens, skipWords(tokens, before.to, ARTICLE), today) : whole;
  if (!time) return undefined;
  const isCounted = time.kind === 'ahead' || time.kind === 'behind';
  const after = isCounted ? undefined : findRelationAfter(tokens, skipWords(tokens, time.to, PARTS_OF_DAY));
  return {
    ...time,
    relation: before?.value ?? after?.value ?? null,
    to: after?.to ?? time.to,
  };
}

const RANGE_SIGNS = wordSet('to and se aur - – से और');

function readDateRange(tokens: readonly Token[], at: number, today: number): RelatedTime | undefined {
  const start = skipWords(tokens, at, RANGE_STARTS);
  const first = readTime(tokens, start, today) ?? dayNumber(tokens, start);
  if (!first) return undefined;
  const sign = skipWords(tokens, first.to, RANGE_SIGNS);
  if (sign === first.to || sign - first.to > 1) return undefined;
  const second = readDate(tokens, sign, today);
  if (second?.kind !== 'day' || second.coming.from === null) return undefined;
  const from = 'number' in first ? dayInMonthOf(second, first.number) : first;
  if (from.coming.from === null || from.coming.from > second.coming.from) return undefined;
  const to = skipWords(tokens, second.to, RANGE_ENDS);
  return { ...from, relation: 'on', end: second, to, needsCue: true };
}

function dayInMonthOf({ coming, past, to }: WrittenTime, date: number): WrittenTime {
  const same = ({ from }: DayRange) => {
    const { year, month } = dateOf(from ?? 0);
    return one(dayOfDate(year, month, date));
  };
  return { kind: 'day', coming: same(coming), past: same(past), to };
}

const CONTRACT_ENDS = wordSet('till until upto up uptil');

/** The meaning of a time without a word of closing or publication next to it; undefined when it is not clear. */
function kindWithoutCue(tokens: readonly Token[], at: number, time: RelatedTime): FoundDays['kind'] | undefined {
  if (time.needsCue) return undefined;
  const { kind, relation } = time;
  const isUntil = relation === 'by' || relation === 'before';
  if (time.isOfYear && !isUntil) return undefined;
  const isAsTyped = (text: string) => textAt(tokens, at) === text;
  if (kind === 'behind') return hasWorkTime(tokens) ? undefined : 'published';
  if (relation === 'since') return 'published';
  if (kind === 'yesterday') return 'published';
  // 'upto 31 March 2026' is the end of a contract.
  if (isUntil) return time.isOfYear && CONTRACT_ENDS.has(textAt(tokens, at)) ? undefined : 'closing';
  if (kind === 'today') {
    const isOf =
      isAsTyped("today's") ||
      isAsTyped('todays') ||
      ['ke', 'ka', 'ki', 'के', 'का', 'की'].includes(textAt(tokens, time.to - 1));
    return isOf || TENDER_WORDS.has(textAt(tokens, time.to)) ? 'published' : undefined;
  }
  if (kind === 'ahead') return hasWorkTime(tokens) ? undefined : 'closing';
  return FOR_ITSELF.has(kind) ? 'closing' : undefined;
}

const hasWorkTime = (tokens: readonly Token[]) => tokens.some(({ text }) => WORK_TIME.has(text));

function toCondition(kind: FoundDays['kind'], time: RelatedTime, start: number, end: number): FoundDays {
  return { kind, start, end, ...rangeOf(kind, time) };
}

function rangeOf(kind: FoundDays['kind'], { kind: written, coming, past, relation, end }: RelatedTime): DayRange {
  const isClosing = kind === 'closing';
  // 'kal se' and 'since monday' are in the past, 'kal tak' is in the future. A past time of a closing is not changed.
  const range = isClosing && written !== 'behind' ? coming : past;
  if (end) return { from: range.from, to: (isClosing ? end.coming : end.past).to };
  if (written === 'ahead' || written === 'behind') return range;
  switch (relation) {
    case 'by':
      return { from: null, to: range.to };
    case 'before':
      return { from: null, to: (range.from ?? 0) - 1 };
    case 'since':
      return { from: range.from, to: null };
    case 'after':
      return { from: (range.to ?? 0) + 1, to: null };
    default:
      return range;
  }
}
