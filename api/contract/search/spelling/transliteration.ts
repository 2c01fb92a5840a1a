/**
 * Finds Latin words that are written in an Indian script: 'रोड' is 'road', 'कोकराझार' is 'Kokrajhar'. Both are split into
 * consonants and the vowels between them. The consonants must be equal; similar vowels cost little.
 */

interface Sounds {
  consonants: string;
  /** The vowels before each consonant, then those after the last one. */
  vowels: readonly string[];
}

/** A word of the list that a text may mean. A lower cost is closer. */
export interface Transliteration {
  word: string;
  /** In halves of a differing sound. */
  cost: number;
}

/** Finds the words of a list, closest first. Empty for a text that is not one word of an Indian script. */
export type WordsBySound = (text: string) => readonly Transliteration[];

const DEVANAGARI = 0x900;
const SCRIPT_LETTERS = 128;
/** The scripts from Devanagari to Malayalam. Letters of one sound have the same offset in all of them. */
const INDIC_PATTERN = /^[\u0900-\u0d7f]+$/;

const readTable = (text: string) => new Map(text.split(' ').map((entry) => entry.split('=') as [string, string]));
/** 'D' is d or r, because the dot of 'ड़' is often not written. */
const CONSONANTS = readTable(
  'क=k ख=k ग=g घ=g ङ=n च=c छ=c ज=j झ=j ञ=n ट=t ठ=t ड=D ढ=D ण=n त=t थ=t द=d ध=d न=n प=p फ=f ब=b भ=b म=m र=r ल=l ळ=l व=v श=s ष=s स=s ह=h',
);
/** Upper case: written vowels, 'F' that of 'bank'. */
const VOWELS = readTable('अ=a आ=A ऑ=A ऍ=F इ=I ई=I उ=U ऊ=U ऋ=rI ए=E ऐ=F ओ=O औ=O');
const VOWEL_SIGNS = readTable('ा=A ॉ=A ॅ=F ि=I ी=I ु=U ू=U ृ=rI े=E ै=F ो=O ौ=O');
/** The sign of a consonant without a vowel. */
export const VIRAMA = '\u094d';
const ANUSVARA = '\u0902';

/** Vowels that Latin letters usually stand for, and those that they rarely stand for. */
const LATIN_VOWELS: Readonly<Record<string, readonly [usual: string, rare: string]>> = {
  a: ['aAF', 'E'],
  e: ['aE', 'IF'],
  i: ['I', 'a'],
  o: ['OA', 'aU'],
  u: ['U', 'aA'],
  y: ['I', ''],
  aa: ['A', 'a'],
  ai: ['EF', ''],
  au: ['OA', ''],
  aw: ['OA', ''],
  ay: ['EF', ''],
  ea: ['IE', 'A'],
  ee: ['I', ''],
  ie: ['I', ''],
  oa: ['O', 'A'],
  oo: ['U', ''],
  ou: ['U', 'OA'],
  ow: ['O', 'A'],
};

/** Folds consonants. A nasal before a consonant becomes 'N', because it varies ('pump' and 'पंप'). A doubled consonant becomes one. */
const foldConsonants = (letters: string): string =>
  letters.replace(/[mn](?=[bcdDfgjklprstv])/g, 'N').replace(/([^aeiouAEFIOU])\1+/g, '$1');

/** Words with the same key are compared. */
const soundKey = (consonants: string): string =>
  consonants.replace(/[dD]/g, 'r').replace(/v/g, 'b').replace(/[mN]/g, 'n');

function readIndic(text: string): Sounds {
  const letters = [...text].map((letter) =>
    String.fromCharCode(DEVANAGARI + ((letter.charCodeAt(0) - DEVANAGARI) % SCRIPT_LETTERS)),
  );
  let sounds = '';
  for (const [at, letter] of letters.entries()) {
    const next = letters[at + 1] ?? '';
    // 'य' is a vowel: 'रिपेयर'.
    const consonant = letter === 'य' ? 'I' : CONSONANTS.get(letter);
    if (consonant) sounds += consonant + (VOWEL_SIGNS.has(next) || next === VIRAMA ? '' : 'a');
    else if (letter === ANUSVARA) sounds += 'N';
    else sounds += VOWELS.get(letter) ?? VOWEL_SIGNS.get(letter) ?? '';
  }
  // 'नगांव' is 'Nagaon'. A final 'a' is silent.
  const read = foldConsonants(sounds.replace(/AN?va$/, 'AOna').replace(/a$/, ''));
  return { consonants: read.replace(/[aAEFIOU]/g, ''), vowels: read.split(/[^aAEFIOU]/) };
}

/** Replacements from English spelling to sounds, in order. */
const LATIN_SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/^sch/, 'sk'],
  [/(?<=[aiou])gh(?=[tw]|$)/g, ''],
  [/tch|ch/g, 'C'],
  [/t(?=ur[ea])/g, 'C'],
  [/[st]i(?=on)|[ct]i(?=al)/g, 's'],
  [/dg(?=e)/g, 'j'],
  [/ck/g, 'k'],
  [/ph/g, 'f'],
  [/([bdgjkst])h/g, '$1'],
  [/rh(?![aeiou])/g, 'r'],
  [/(?<=[aeiou])h$/g, ''],
  [/Ch/g, 'C'],
  [/c(?=[eiy])/g, 's'],
  [/g(?=e(?!t)|i(?!v)|y)/g, 'j'],
  [/c/g, 'k'],
  [/C/g, 'c'],
  [/qu/g, 'kv'],
  [/q/g, 'k'],
  [/x/g, 'ks'],
  [/z/g, 'j'],
  [/w(?=[aeiouy])/g, 'v'],
  [/(?<=[^aeiouy])a(?=[^aeiouy]e$)/g, 'ai'],
  [/(?<=[^aeiouy])o(?=[^aeiouy]e$)/g, 'oa'],
  [/(?<=[^aeiouy])e$/g, ''],
];

function readLatin(word: string): Sounds {
  let letters = word;
  for (const [pattern, sound] of LATIN_SOUNDS) letters = letters.replace(pattern, sound);
  letters = foldConsonants(letters);
  return { consonants: letters.replace(/[aeiouyw]/g, ''), vowels: letters.split(/[^aeiouyw]/) };
}

function vowelCost(indic: string, latin: string): number {
  if (latin === '') return /[AEFIOU]/.test(indic) ? 2 : 0;
  if (indic === '') return 2;
  // 'पाइप' is 'pipe', 'रिपेयर' is 'repair', 'कंप्यूटर' is 'computer'.
  if (/^[AO]I/.test(indic) && /[iy]/.test(latin)) return 0;
  if (/^[EF]I/.test(indic) && /^(?:[ae][iy]|a|e)$/.test(latin)) return 0;
  if (/^I[UO]/.test(indic) && latin.includes('u')) return 0;
  const known = LATIN_VOWELS[latin];
  if (known && indic.length === 1) return known[0].includes(indic) ? 0 : known[1].includes(indic) ? 1 : 2;
  const meant = [...latin].flatMap((letter) => LATIN_VOWELS[letter]?.join('') ?? '').join('');
  return [...indic].some((vowel) => meant.includes(vowel)) ? 1 : 2;
}

function consonantCost(indic: string | undefined, latin: string | undefined): number {
  return indic === latin || indic === 'D' || indic === 'N' || latin === 'N' ? 0 : 2;
}

function soundCost(indic: Sounds, latin: Sounds): number {
  let cost = 0;
  for (let at = 0; at < latin.vowels.length; at += 1)
    cost +=
      vowelCost(indic.vowels[at] ?? '', latin.vowels[at] ?? '') +
      consonantCost(indic.consonants[at], latin.consonants[at]);
  return cost;
}

const MIN_CONSONANTS = 2;

/** Maximum cost for a word with this many consonants. */
const maxCost = (consonants: number): number => (consonants < 4 ? 1 : consonants < 6 ? 3 : 5);

/** Creates a lookup of Latin words. The words are read at the first use. */
export function createWordsBySound(readWords: () => Iterable<string>): WordsBySound {
  let index: Map<string, (Sounds & { word: string })[]> | undefined;
  const readIndex = () => {
    const made: typeof index = new Map();
    for (const word of readWords()) {
      const sounds = readLatin(word);
      if (sounds.consonants.length < MIN_CONSONANTS) continue;
      const key = soundKey(sounds.consonants);
      made.set(key, [...(made.get(key) ?? []), { ...sounds, word }]);
    }
    return made;
  };
  return (text) => {
    if (!INDIC_PATTERN.test(text)) return [];
    index ??= readIndex();
    const sounds = readIndic(text);
    return (index.get(soundKey(sounds.consonants)) ?? [])
      .map((each) => ({ word: each.word, cost: soundCost(sounds, each) }))
      .filter(({ cost }) => cost <= maxCost(sounds.consonants.length))
      .sort((one, other) => one.cost - other.cost || (one.word < other.word ? -1 : 1));
  };
}
