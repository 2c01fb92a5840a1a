import { LINE } from './letter-parts.ts';

const placesOf = (line: string, lines: readonly string[]): number[] =>
  lines.flatMap((each, at) => (each === line ? [at] : []));

/**
 * A letter that the user has changed, with the facts that arrived since: where `made` has a fact in place of a blank of
 * `before`, the line gets it if it still stands as it was made.
 */
export function completedText(typed: string, before: string, made: string): string {
  const was = before.split('\n');
  const is = made.split('\n');
  // Lines were added or removed, so they cannot be compared one by one.
  if (was.length !== is.length) return typed;
  const lines = typed.split('\n');
  const completed = [...lines];
  was.forEach((line, at) => {
    if (line === is[at] || !line.includes(LINE)) return;
    const made = placesOf(line, was);
    const left = placesOf(line, lines);
    // Of several equal blanks it is known which is which only while all stand.
    const place = made.length === left.length ? left[made.indexOf(at)] : undefined;
    if (place !== undefined) completed[place] = is[at] ?? line;
  });
  return completed.join('\n');
}
