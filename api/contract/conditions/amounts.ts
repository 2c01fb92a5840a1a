/** Amounts in a typed text: 'below 10 lakh', '5-10 lakh', 'emd 50 hazar tak', '10 लाख से कम', 'no emd'. */
import { type Found, phraseFinder, skipWords, type Token, wordSet } from './tokens.ts';

/** Bounds in rupees, both included; null: none. */
export interface AmountRange {
  min: number | null;
  max: number | null;
}

/** The field that an amount is about. */
export type AmountField = 'price' | 'emd';

/** Tokens `from` to `to` (exclusive) are an amount of this field. */
export interface FoundAmount extends AmountRange {
  field: AmountField;
  from: number;
  to: number;
}

const UNITS = new Map<string, number>(
  [
    [1e3, 'k thousand thousands hazar hazaar hajar hajaar hzar हजार हज़ार'],
    [1e5, 'l lakh lakhs lac lacs lack lacks laakh lakhh lk लाख'],
    [1e6, 'million mn'],
    [1e7, 'cr crs crore crores carore karod karor croe करोड़'],
    [1e9, 'billion arab अरब'],
  ].flatMap(([factor, words]) => [...wordSet(words as string)].map((word) => [word, factor as number] as const)),
);

/** 1 to 99 in Hindi, spellings of one number between slashes. */
const HINDI_NUMBERS =
  'एक दो तीन चार पांच छह/छः/छ/छै सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह/अट्ठारह उन्नीस बीस ' +
  'इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस/अठाईस/अठ्ठाईस उनतीस/उन्तीस तीस ' +
  'इकतीस/इकत्तीस बत्तीस तैंतीस/तेंतीस/तेतीस चौंतीस/चौतीस पैंतीस/पैतीस छत्तीस सैंतीस/सैतीस अड़तीस उनतालीस/उन्तालीस चालीस ' +
  'इकतालीस बयालीस तैंतालीस/तेतालीस चौवालीस/चवालीस/चौंवालीस पैंतालीस/पैतालीस छियालीस सैंतालीस/सैतालीस अड़तालीस उनचास/उन्चास पचास ' +
  'इक्यावन बावन तिरपन/तिरेपन चौवन/चौअन पचपन छप्पन सत्तावन अट्ठावन/अठावन/अठ्ठावन उनसठ साठ ' +
  'इकसठ बासठ तिरसठ/तिरेसठ चौंसठ/चौसठ पैंसठ/पैसठ छियासठ सड़सठ अड़सठ उनहत्तर सत्तर ' +
  'इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उन्यासी/उनासी/उन्नासी अस्सी ' +
  'इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी/सतासी अट्ठासी/अठासी/अठ्ठासी नवासी नब्बे ' +
  'इक्यानवे/इक्यानबे बानवे/बानबे तिरानवे/तिरानबे चौरानवे/चौरानबे पचानवे/पंचानवे/पचानबे छियानवे/छियानबे सत्तानवे/सत्तानबे अट्ठानवे/अट्ठानबे/अठानवे निन्यानवे/निन्यानबे';

/** English 1 to 9 and tens, which are said together, and other words by their number. */
const ENGLISH_ONES = 'one two three four five six seven eight nine'.split(' ');
const ENGLISH_TENS = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const OTHER_NUMBERS = {
  0.5: 'half aadha आधा आधे',
  0.75: 'pauna paun पौन पौना',
  1: 'ek',
  1.25: 'sava sawa सवा',
  1.5: 'dedh डेढ़',
  2: 'do',
  2.5: 'dhai ढाई',
  3: 'teen',
  4: 'char chaar',
  5: 'panch paanch',
  6: 'chhe chhah',
  7: 'saat',
  8: 'aath',
  9: 'nau',
  10: 'das',
  11: 'eleven gyarah',
  12: 'twelve barah',
  13: 'thirteen terah',
  14: 'fourteen chaudah',
  15: 'fifteen pandrah',
  16: 'sixteen solah',
  17: 'seventeen satrah',
  18: 'eighteen atharah',
  19: 'nineteen unnis',
  20: 'bees bis',
  25: 'pachees pachchis',
  30: 'tees',
  35: 'paintis',
  40: 'fourty chalis chaalis',
  45: 'paintalis',
  50: 'pachas pachaas',
  65: 'painsath',
  70: 'sattar',
  75: 'pachhattar pachattar',
  80: 'assi',
  90: 'nabbe',
};

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map<string, number>([
  ...HINDI_NUMBERS.split(' ').flatMap((words, index) =>
    [...wordSet(words.replaceAll('/', ' '))].map((word) => [word, index + 1] as const),
  ),
  ...ENGLISH_ONES.map((word, index) => [word, index + 1] as const),
  ...ENGLISH_TENS.map((word, index) => [word, index * 10] as const).slice(1),
  ...Object.entries(OTHER_NUMBERS).flatMap(([number, words]) =>
    [...wordSet(words)].map((word) => [word, Number(number)] as const),
  ),
]);
/** Quarters before a number: 'साढ़े तीन' is 3.5, 'पौने दो' 1.75. */
const QUARTERS: ReadonlyMap<string, number> = new Map(
  [
    [0.25, 'sava sawa सवा'],
    [0.5, 'saadhe sadhe saade साढ़े'],
    [-0.25, 'paune पौने'],
  ].flatMap(([part, words]) => [...wordSet(words as string)].map((word) => [word, part as number] as const)),
);
const HUNDREDS = wordSet('hundred sau सौ');
/** Between the parts of one number: 'one crore and fifty lakh'. */
const ADDING_WORDS = wordSet('and aur & और व');

/** A number of digits or words at `at`: '12', 'पचपन', 'twenty five', 'डेढ़ सौ'. Words are a number only before a unit. */
export function readNumber(tokens: readonly Token[], at: number): (Found<number> & { isDigits: boolean }) | undefined {
  const quarter = QUARTERS.get(textAt(tokens, at));
  const base = quarter === undefined ? undefined : readBase(tokens, at + 1);
  const { value, to, isDigits } = base
    ? { ...base, value: base.value + (quarter ?? 0) }
    : (readBase(tokens, at) ?? { value: 1, to: at, isDigits: false });
  if (!HUNDREDS.has(textAt(tokens, to))) return to === at ? undefined : { value, to, isDigits };
  const joined = readBase(tokens, to + 2);
  const isJoined = ADDING_WORDS.has(textAt(tokens, to + 1)) && UNITS.has(textAt(tokens, joined?.to ?? -1));
  const more = isJoined ? joined : readBase(tokens, to + 1);
  return more && !more.isDigits && more.value >= 1
    ? { value: value * 100 + more.value, to: more.to, isDigits }
    : { value: value * 100, to: to + 1, isDigits };
}

/** A number below a hundred in words, or digits. */
function readBase(tokens: readonly Token[], at: number): (Found<number> & { isDigits: boolean }) | undefined {
  const token = tokens[at];
  if (token?.kind === 'number') {
    if (token.text.includes(',') && !GROUPED.test(token.text)) return undefined;
    return { value: Number(token.text.replaceAll(',', '')), to: at + 1, isDigits: true };
  }
  const value = token && NUMBER_WORDS.get(token.text);
  if (value === undefined) return undefined;
  if (!ENGLISH_TENS.includes(token?.text ?? '') || value < 20) return { value, to: at + 1, isDigits: false };
  const next = textAt(tokens, at + 1) === '-' ? at + 2 : at + 1;
  const ones = ENGLISH_ONES.indexOf(textAt(tokens, next)) + 1;
  return ones > 0 ? { value: value + ones, to: next + 1, isDigits: false } : { value, to: at + 1, isDigits: false };
}

const CURRENCY_WORDS = wordSet('₹ rs inr re rupees rupee rupaye rupaya rupye रुपये रुपए रुपया रू रु');
/** Between the sign of the currency and the number. */
const CURRENCY_SIGNS = wordSet('. :');
/** If one of these follows, the number is a measure: '50 lakh litre tank'. */
const MEASURES = wordSet(
  'litre litres liter liters ltr ltrs lit kl kld ml mld lpd lph gallon gallons kg kgs quintal quintals qtl ton tons tonne tonnes mt ' +
    'metre metres meter meters mtr mtrs m mm cm km kms sqm sqmt sqft sft rft rmt cum cft cubic square sq volt volts v kv kva kw mw hp ' +
    'watt w nos pieces pcs bricks brick trees tree plants plant saplings sapling population people persons ' +
    'families households beneficiaries seedlings seeds eggs chicks fingerlings fish birds doses dose units unit bags bag ' +
    'students capacity hours hour hrs days day years year months month din degree deg mpa rpm psi gb tb mbps ' +
    'लीटर पौधे पौधों ईंट ईंटें मीटर किलो टन लोग लोगों आबादी यूनिट',
);
/** Things that are measured in litres: 'tank upto 500 L'. */
const VESSELS = wordSet(
  'tank tanks container cylinder bottle dustbin bin cooler drum sprayer geyser can cans fridge refrigerator oven',
);

type Side = 'below' | 'above';
const opposite = (side: Side): Side => (side === 'below' ? 'above' : 'below');

const findBefore = phraseFinder<Side>([
  [
    'below',
    'below,bellow,belo,under,less than,less then,lesser than,lower than,smaller than,cheaper than,upto,up to,uptil,till,until,within,' +
      'max,maximum,max.,at most,atmost,at the most,not more than,no more than,not above,not over,not exceeding,not greater than,not beyond,' +
      'less,<,<=,≤,zyada se zyada,jyada se jyada,adhik se adhik,ज्यादा से ज्यादा,अधिक से अधिक,अधिकतम,adhiktam',
  ],
  [
    'above',
    'above,abov,over,more than,more then,greater than,higher than,bigger than,larger than,exceeding,beyond,min,minimum,min.,at least,' +
      'atleast,not less than,no less than,not below,not under,starting from,starting at,from,more,>,>=,≥,kam se kam,कम से कम,न्यूनतम,nyuntam',
  ],
]);

const ABOVE_HINDI =
  'zyada,jyada,jyaada,zyaada,jada,zada,adhik,adik,upar,uper,oopar,ooper,above,jyda,badi,bade,bada,bara,more,over,greater';
const BELOW_HINDI = 'kam,km,neeche,niche,nichey,below,under,less,chhota,chhote,chhoti,chota,chote,choti';
const ABOVE_DEVANAGARI = 'अधिक,ज्यादा,ज़्यादा,ऊपर,उपर,बड़ा,बड़े,बड़ी';
const BELOW_DEVANAGARI = 'कम,नीचे,छोटा,छोटे,छोटी';
const after = (words: string, starts: readonly string[]) =>
  words
    .split(',')
    .flatMap((word) => starts.map((start) => `${start} ${word}`))
    .join(',');
const LATIN_STARTS = [
  'se',
  'sey',
  'say',
  'ke',
  'k',
  'or',
  'and',
  '&',
  'ya',
  'aur',
  'ya usse',
  'ya isse',
  'ya us se',
  'aur usse',
];
const DEVANAGARI_STARTS = ['से', 'के', 'या', 'और', 'या उससे', 'या इससे', 'और उससे'];

const findAfter = phraseFinder<Side>([
  [
    'below',
    `tak,tk,तक,max,maximum,or lower,and lower,ke andar,ke ander,k andar,k ander,ke bheetar,ke bhitar,ke अंदर,के अंदर,के अन्दर,के भीतर,${after(BELOW_HINDI, LATIN_STARTS)},${after(BELOW_DEVANAGARI, DEVANAGARI_STARTS)}`,
  ],
  [
    'above',
    `+,plus,min,minimum,onwards,onward,and up,or higher,and higher,${after(ABOVE_HINDI, LATIN_STARTS)},${after(ABOVE_DEVANAGARI, DEVANAGARI_STARTS)}`,
  ],
]);
const AFTER_COMPARATOR = wordSet('than the a :');
/** '10 lakh se zyada nahi' is at most 10 lakh. */
const NEGATIONS = wordSet('nahi nahin nhi na नहीं न ना');

const RANGE_STARTS = wordSet('between betwen beech bich from range in the of बीच');
const findRangeSign = phraseFinder<'weak' | 'strong'>([
  ['strong', 'to,-,–,—,se,से,se lekar,se leke,se le kar,से लेकर,से ले कर,tak,upto,up to,till'],
  ['weak', 'and,aur,&,और,व'],
]);
const findRangeEnd = phraseFinder([
  [
    true,
    'tak,तक,tk,ke beech,ke bich,ke beech me,ke bich me,ke madhya,के बीच,के बीच में,के मध्य,ke andar,between,range,beech,बीच',
  ],
]);

const EMD =
  'emd,e m d,e.m.d.,e.m.d,earnest money,earnest money deposit,bid security,bid deposit,bayana,bayana rashi,dharohar,dharohar rashi,ईएमडी,ई एम डी,इएमडी,बयाना,बयाना राशि,धरोहर,धरोहर राशि,अर्नेस्ट मनी';
const findEmd = phraseFinder([[true, EMD]]);
const findValue = phraseFinder([
  [
    true,
    'value,tender value,estimated value,estimate,estimated cost,est cost,cost,project cost,tender cost,worth,valued,valued at,amount,tender amount,price,budget,costing,ecv,pac,' +
      'lagat,laagat,keemat,kimat,mulya,rashi,raashi,लागत,अनुमानित लागत,मूल्य,कीमत,राशि,रकम,बजट',
  ],
]);
/** Between a field and its amount. */
const BETWEEN_FIELD_AND_AMOUNT = wordSet(
  'jiska jiski jinka jinki is of : = ka ke ki ko amount value rashi fee should be the का के की राशि',
);
/** Between an amount and its field, and after both. */
const AFTER_AMOUNT = wordSet('ka ke ki wala wale wali vala vale vali ho hai hain का के की वाला वाले वाली हो है हैं');

const NO_AFTER =
  'free,nil,zero,none,fri,फ्री,not required,not needed,no,nahi,nahin,nhi,na,nahi hai,na ho,nahi chahiye,nahi lagta,nahi lagti,nahi lagega,nahi lagegi,waived,waiver,mukt,rahit,shunya,maaf,maf,0,नहीं,नही,न हो,मुक्त,रहित,शून्य,माफ,निल,नहीं चाहिए';
const NO_BEFORE =
  'no,nil,zero,0,without,without any,w/o,wo,bina,bagair,bagar,free,free of,free from,not requiring,बिना,बगैर,शून्य';
const EXEMPT = 'exempt,exempted,exemption,exemption allowed,exemption available,chhoot,chhut,chut,छूट,exempt hai';
const findNoBefore = phraseFinder<'none' | 'exempt'>([
  ['none', NO_BEFORE],
  ['exempt', 'exempt from,exempted from,exemption of,exemption from,exempt,exempted'],
]);
const findNoAfter = phraseFinder<'none' | 'exempt'>([
  ['none', NO_AFTER],
  ['exempt', EXEMPT],
]);
const BEFORE_EMD = wordSet('any the');
const AFTER_NO_EMD = new Set([...AFTER_AMOUNT, ...wordSet('required needed deposit')]);
const BEFORE_NO = wordSet('is - : = amount ki ka ke se में से की का');
const findWithoutAfter = phraseFinder([[true, 'ke bina,ke bagair,के बिना,के बगैर,bina,ke bagar']]);

/** '1,40,000', '1,000,000' */
const GROUPED = /^\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/;
/** Smaller amounts are not amounts of a tender. */
const MIN_RUPEES = 100;

interface Quantity {
  value: number;
  number: number;
  unit: number | null;
  /** Whether the rupee sign or Indian digit groups show that it is money. */
  isMoney: boolean;
  to: number;
}

/** A number with its unit and the words for rupees. */
function readQuantity(tokens: readonly Token[], start: number): Quantity | undefined {
  let at = start;
  let isMoney = false;
  while (at < tokens.length && CURRENCY_WORDS.has(textAt(tokens, at))) {
    isMoney = true;
    at = skipWords(tokens, at + 1, CURRENCY_SIGNS);
  }
  const token = tokens[at];
  const read = readNumber(tokens, at);
  if (!read || !Number.isFinite(read.value)) return undefined;
  const { value: number, isDigits } = read;
  // 'm20' and 'nh5' are not numbers.
  if (token?.isTight && tokens[at - 1]?.kind === 'word' && !CURRENCY_WORDS.has(textAt(tokens, at - 1)))
    return undefined;
  if (token && GROUPED.test(token.text)) isMoney = true;
  at = read.to;
  const unit = unitAt(tokens, at, number);
  if (unit !== null) at += 1;
  else if (!isDigits) return undefined;
  const afterUnit = at;
  if (textAt(tokens, at) === '/' && textAt(tokens, at + 1) === '-') [at, isMoney] = [at + 2, true];
  if (CURRENCY_WORDS.has(textAt(tokens, at))) [at, isMoney] = [at + 1, true];
  if (isMeasured(tokens, afterUnit)) return undefined;
  const value = Math.round(number * (unit ?? 1) * 100) / 100;
  const more = unit === null ? undefined : readSmallerPart(tokens, at, unit);
  if (more) return { value: value + more.value, number, unit, isMoney: true, to: more.to };
  return { value, number, unit, isMoney, to: at };
}

/** The rest of '1 crore 20 lakh', 'one crore and twenty lakh' and 'two thousand five hundred', after the first unit. */
function readSmallerPart(tokens: readonly Token[], at: number, unit: number): Found<number> | undefined {
  const part = readQuantity(tokens, skipWords(tokens, at, ADDING_WORDS));
  if (part?.unit && part.unit < unit && part.value < unit) return part;
  const hundreds = readNumber(tokens, at);
  if (!hundreds || hundreds.isDigits || hundreds.value < 100 || hundreds.value >= unit) return undefined;
  return isMeasured(tokens, hundreds.to) ? undefined : hundreds;
}

const textAt = (tokens: readonly Token[], at: number): string => tokens[at]?.text ?? '';

function unitAt(tokens: readonly Token[], at: number, number: number): number | null {
  const word = textAt(tokens, at);
  const unit = UNITS.get(word);
  if (unit === undefined) return null;
  if (word === 'l' && (number < 1 || number >= 100 || tokens.some(({ text }) => VESSELS.has(text)))) return null;
  return unit;
}

function isMeasured(tokens: readonly Token[], at: number): boolean {
  const word = textAt(tokens, at);
  return MEASURES.has(word) || word === '%';
}

/** A bare number is an amount only if it is large and round, unlike PIN codes and chainages. */
const MIN_BARE_RUPEES = 10_000;
const BARE_RUPEES_STEP = 500;
const isAmount = ({ unit, isMoney, value }: Quantity, hasField: boolean) =>
  unit !== null ||
  ((isMoney || hasField) && value >= MIN_RUPEES) ||
  (value >= MIN_BARE_RUPEES && value % BARE_RUPEES_STEP === 0);

interface FoundRange extends AmountRange {
  to: number;
}

/** 'between 10 and 20 lakh', '10-20 lakh', '50 lakh se 1 crore tak'. */
function readRange(tokens: readonly Token[], at: number, hasField: boolean): FoundRange | undefined {
  const start = skipWords(tokens, at, RANGE_STARTS);
  const isAnnounced = tokens.slice(at, start).some(({ text }) => !['in', 'the', 'of'].includes(text));
  const first = readQuantity(tokens, start);
  const sign = first && findRangeSign(tokens, first.to);
  const second = sign && readQuantity(tokens, sign.to);
  if (!first || !second) return undefined;
  const end = findRangeEnd(tokens, second.to);
  if (sign.value === 'weak' && !isAnnounced && !end) return undefined;
  if (second.unit === null && !((second.isMoney || hasField) && second.value >= MIN_RUPEES)) return undefined;
  const min = lowerBound(first, second);
  if (min === undefined || min > second.value) return undefined;
  return { min, max: second.value, to: end?.to ?? second.to };
}

/** '10 to 20 lakh' begins at 10 lakh, '50 to 1 crore' at 50 lakh. */
function lowerBound(first: Quantity, second: Quantity): number | undefined {
  if (first.unit !== null || second.unit === null) return first.value;
  const factors = [second.unit, ...[1e7, 1e5, 1e3].filter((factor) => factor < (second.unit as number))];
  return factors.map((factor) => first.number * factor).find((value) => value < second.value);
}

/** A comparator before or after a number. */
function readComparison(tokens: readonly Token[], at: number, hasField: boolean): FoundRange | undefined {
  const before = findBefore(tokens, at);
  const quantity = readQuantity(tokens, before ? skipWords(tokens, before.to, AFTER_COMPARATOR) : at);
  if (!quantity || !isAmount(quantity, hasField)) return undefined;
  const behind = findAfter(tokens, quantity.to);
  let side = before?.value ?? behind?.value;
  if (side === undefined) return undefined;
  let { to } = before && behind?.value !== before.value ? quantity : (behind ?? quantity);
  if (!before && behind && NEGATIONS.has(textAt(tokens, to))) {
    side = opposite(side);
    to += 1;
  }
  if (isMeasured(tokens, to)) return undefined;
  return side === 'below' ? { min: null, max: quantity.value, to } : { min: quantity.value, max: null, to };
}

const readBounds = (tokens: readonly Token[], at: number, hasField: boolean): FoundRange | undefined =>
  readRange(tokens, at, hasField) ?? readComparison(tokens, at, hasField);

/** An amount whose field, comparator or number begins at `at`. */
export function readAmount(tokens: readonly Token[], at: number): FoundAmount | undefined {
  const named = fieldAt(tokens, at);
  if (named) {
    const start = skipWords(tokens, named.to, BETWEEN_FIELD_AND_AMOUNT);
    const bounds = readBounds(tokens, start, true);
    if (bounds) return { field: named.value, from: at, ...bounds, to: skipWords(tokens, bounds.to, AFTER_AMOUNT) };
    return undefined;
  }
  return readComparedField(tokens, at) ?? readFieldBehind(tokens, at);
}

/** 'maximum value 10 lakh', 'minimum emd 1 lakh' */
function readComparedField(tokens: readonly Token[], at: number): FoundAmount | undefined {
  const before = findBefore(tokens, at);
  const field = before && fieldAt(tokens, before.to);
  const quantity = field && readQuantity(tokens, skipWords(tokens, field.to, BETWEEN_FIELD_AND_AMOUNT));
  if (!quantity || !isAmount(quantity, true)) return undefined;
  const { value } = quantity;
  const bounds = before.value === 'below' ? { min: null, max: value } : { min: value, max: null };
  return { field: field.value, from: at, ...bounds, to: skipWords(tokens, quantity.to, AFTER_AMOUNT) };
}

/** An amount whose field may follow it: '50k se kam emd'. */
function readFieldBehind(tokens: readonly Token[], at: number): FoundAmount | undefined {
  const bounds = readBounds(tokens, at, false);
  if (!bounds) return undefined;
  const next = skipWords(tokens, bounds.to, AFTER_AMOUNT);
  const behind = fieldAt(tokens, next);
  // 'below 10 lakh emd under 20k': the EMD has its own amount.
  const hasOwn = behind && readBounds(tokens, skipWords(tokens, behind.to, BETWEEN_FIELD_AND_AMOUNT), true);
  if (behind && !hasOwn)
    return { field: behind.value, from: at, ...bounds, to: skipWords(tokens, behind.to, AFTER_AMOUNT) };
  return { field: 'price', from: at, ...bounds, to: next };
}

function fieldAt(tokens: readonly Token[], at: number): Found<AmountField> | undefined {
  const emd = findEmd(tokens, at);
  if (emd) return { value: 'emd', to: emd.to };
  const value = findValue(tokens, at);
  return value && { value: 'price', to: value.to };
}

/** 'no emd', 'bina emd ke', 'emd free', 'emd exemption', beginning at `at`. */
export function readNoEmd(tokens: readonly Token[], at: number): Found<'none' | 'exempt'> | undefined {
  const before = findNoBefore(tokens, at);
  const denied = before && findEmd(tokens, skipWords(tokens, before.to, BEFORE_EMD));
  if (before && denied) {
    const exempt = findNoAfter(tokens, denied.to)?.value === 'exempt' && before.value === 'none';
    // 'no emd exemption' asks for neither.
    return exempt ? undefined : { value: before.value, to: skipWords(tokens, denied.to, AFTER_NO_EMD) };
  }
  const emd = findEmd(tokens, at);
  if (!emd) return undefined;
  const without = findWithoutAfter(tokens, emd.to);
  if (without) return { value: 'none', to: without.to };
  const start = skipWords(tokens, emd.to, BEFORE_NO);
  const behind = findNoAfter(tokens, start);
  // 'emd 0 to 10000' is a range.
  if (!behind || (textAt(tokens, start) === '0' && readBounds(tokens, start, true))) return undefined;
  return { value: behind.value, to: skipWords(tokens, behind.to, AFTER_AMOUNT) };
}
