/** What the operator tells all users: a line in the app, the state of the service, and incidents. */
import * as v from 'valibot';
import { currentLanguage } from '../i18n.ts';
import type { Language } from '../languages.ts';

export const MAX_NOTICE_LETTERS = 300;

const Text = v.pipe(v.string(), v.trim(), v.minLength(3), v.maxLength(MAX_NOTICE_LETTERS));

/** One text in several languages. English is always there. */
export const LanguageTexts = v.object({ en: Text, hi: v.optional(Text) }) satisfies v.GenericSchema<
  unknown,
  { en: string } & Partial<Record<Language, string>>
>;
export type LanguageTexts = v.InferOutput<typeof LanguageTexts>;

/** The text in the present language, else in English. */
export const textInLanguage = (texts: LanguageTexts): string => texts[currentLanguage()] ?? texts.en;

export const NOTICE_TONES = ['info', 'warning'] as const;

const instant = v.pipe(v.string(), v.isoTimestamp());

/** One line for all users. */
export const SiteNotice = v.object({
  id: v.number(),
  texts: LanguageTexts,
  tone: v.picklist(NOTICE_TONES),
  starts_at: instant,
  /** Null: until an operator ends it. */
  ends_at: v.nullable(instant),
});
export type SiteNotice = v.InferOutput<typeof SiteNotice>;

/** An incident with what was said of it, oldest first. */
export const Incident = v.object({
  id: v.number(),
  started_at: instant,
  /** Null while it lasts. */
  ended_at: v.nullable(instant),
  updates: v.array(v.object({ at: instant, texts: LanguageTexts })),
});
export type Incident = v.InferOutput<typeof Incident>;

/** What is checked. `payments` is absent where nothing is sold. */
export const STATUS_PARTS = ['database', 'tenders', 'alerts', 'mail', 'packs', 'payments'] as const;
export type StatusPart = (typeof STATUS_PARTS)[number];

/** `unknown`: it could not be checked. */
export const PART_STATES = ['ok', 'delayed', 'down', 'unknown'] as const;
export type PartState = (typeof PART_STATES)[number];

/** How many days back incidents are shown. */
export const INCIDENT_DAYS = 90;

/** Answer of `GET /api/site-status`. */
export const SiteStatusResponse = v.object({
  /** When the checks were made. */
  at: instant,
  parts: v.array(v.object({ part: v.picklist(STATUS_PARTS), state: v.picklist(PART_STATES) })),
  /** When each portal was last read. */
  portals: v.array(v.object({ portal: v.string(), read_at: instant })),
  /** Null while the database does not answer. Newest first. */
  incidents: v.nullable(v.array(Incident)),
});
export type SiteStatusResponse = v.InferOutput<typeof SiteStatusResponse>;
