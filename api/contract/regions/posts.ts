/** Finds the department of an engineer's post: 'CE RW I' belongs to Rural Works. The table `posts.json` names its sources. */
import { foldName } from './fold-name.ts';
import json from './posts.json' with { type: 'json' };

/** Full ranks of engineers, and water works that have a post of their own. They may be anywhere in a name. */
const POST =
  /\b(?:(?:chief|superintending|executive|assistant|junior) (?:construction )?engineer|engineer in chief|basin|(?:irrigation|irr|barrage|canal|dam) project)\b/;
/** Abbreviations of ranks at the start of a name. Elsewhere in a name they have other meanings. */
const SHORT_POST = /^(?:o o |office of )?(?:the )?(?:e in c|einc|eic|enc|ace|cce|ce|se|ee|ae|sdo)\b/;
const MAX_PHRASE_WORDS = 8;

/** Whether the text names a post instead of a department. */
export function isPost(text: string): boolean {
  const folded = foldName(text);
  return POST.test(folded) || SHORT_POST.test(folded);
}

/**
 * Possible names of the department whose subject is in the text of a post. The first one that the state has is used.
 * `state` is the slug of a state for its own subjects; null for subjects of all states.
 */
export function departmentsOfSubjects(text: string, state: string | null): string[] {
  const folded = ` ${foldName(text)} `;
  return json.subjects
    .filter((row) => row.state === state && row.words.some((words) => folded.includes(` ${words} `)))
    .flatMap(({ departments }) => departments);
}

/** The phrases of a text by their number of words, longest first. One of them may be the name of a department. */
export function phrasesOf(text: string): string[][] {
  const words = foldName(text).split(' ');
  const lengths = Array.from({ length: Math.min(words.length, MAX_PHRASE_WORDS) }, (_, at) => at + 1).reverse();
  return lengths.map((length) => words.slice(length - 1).map((_, at) => words.slice(at, at + length).join(' ')));
}
