/** Options of the commands that say something to all users. */
import { languages } from '@nivida/contract/languages';
import { LanguageTexts, MAX_NOTICE_LETTERS } from '@nivida/contract/site/status';
import * as v from 'valibot';
import { InvalidOptionsError } from '../base/config.ts';
import { parseDate } from '../ingest/cells/normalise.ts';

/** `--text en=TEXT`, once for each language. */
export const TEXT_OPTION = { text: { type: 'string', multiple: true, default: [] as string[] } } as const;

/** The texts of `--text`. Throws InvalidOptionsError. */
export function readTexts(command: string, given: readonly string[]): LanguageTexts {
  const texts = Object.fromEntries(
    given.map((each) => {
      const [, language = '', text = ''] = /^(\w+)=(.*)$/s.exec(each) ?? [];
      if (!languages().some((known) => known === language))
        throw new InvalidOptionsError(`--text ${each}: write ${languages().join('=… or ')}=…`);
      return [language, text];
    }),
  );
  const { success, output } = v.safeParse(LanguageTexts, texts);
  if (!success)
    throw new InvalidOptionsError(`${command} needs --text en=TEXT of 3 to ${MAX_NOTICE_LETTERS} characters`);
  return output;
}

/** An instant of an option, in Indian time without a zone. Throws InvalidOptionsError. */
export function readInstantOption(name: string, given: string | undefined): Date | undefined {
  if (given === undefined) return undefined;
  try {
    const date = parseDate(name, given);
    if (date?.timeKnown) return date.at;
  } catch {
    // As for a date without an hour.
  }
  throw new InvalidOptionsError(`--${name} must be an instant like "30 Nov 2026 10:00" (Indian time) or ISO 8601`);
}

/** The id of a notice or an incident. Throws InvalidOptionsError. */
export function readListedNumber(command: string, text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidOptionsError(`${command}: name one by its number; list shows it`);
  return Number(text);
}
