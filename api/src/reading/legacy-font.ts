/** Text of fonts that show other letters than their codes say, as those for Hindi before Unicode. */

const MAX_LEGACY_SHARE = 0.08;
const MAX_ODD_SHARE = 0.28;
const MIN_CHARACTERS = 40;

export function isUnreadableFont(text: string): boolean {
  const characters = text.replace(/\s/g, '');
  if (characters.length < MIN_CHARACTERS) return false;
  const legacy =
    characters.match(/[\u0080-\u00a8\u00aa-\u00ac\u00ae-\u00af\u00b4-\u00b6\u00b8-\u00ff\ue000-\uf8ff\ufffd]/g)
      ?.length ?? 0;
  if (legacy / characters.length > MAX_LEGACY_SHARE) return true;
  const words = text.split(/\s+/).filter((word) => /[A-Za-z]/.test(word) && word.length >= 3);
  return words.length >= 8 && words.filter(isOdd).length / words.length > MAX_ODD_SHARE;
}

/** A word with signs or capital letters inside, or without a vowel. */
function isOdd(word: string): boolean {
  if (/^(?:https?:|www\.)|@|\.(?:in|com|org|pdf)\b/i.test(word)) return false;
  const core = word.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  if (/[A-Za-z][;[\]{}|~^$*=<>\\`"+][A-Za-z]/.test(core)) return true;
  return core
    .split(/[^A-Za-z]+/)
    .some(
      (part) =>
        part.length >= 3 && (/[a-z]{2}[A-Z]|[a-z][A-Z][a-z]/.test(part) || /^[bcdfghj-np-tv-xz]{4,}$/.test(part)),
    );
}
