const segmenter = new Intl.Segmenter('hi', { granularity: 'grapheme' });

/** Truncates to `maxGraphemes` visible letters, in any script; क्षि is one. */
export function truncateGraphemes(text: string, maxGraphemes: number): string {
  // A text has at least as many code units as letters.
  if (text.length <= maxGraphemes) return text;
  let letters = 0;
  let end = 0;
  // Stops early: segmentation of a long text is slow.
  for (const { index } of segmenter.segment(text)) {
    if (letters === maxGraphemes - 1) end = index;
    letters += 1;
    if (letters > maxGraphemes) return `${text.slice(0, end).trimEnd()}…`;
  }
  return text;
}
