export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;
/** India is 5 hours 30 minutes ahead of UTC. */
export const INDIAN_OFFSET_MS = 330 * MINUTE_MS;

/** The number of a day '2026-04-15': days since 1970-01-01. */
export const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;

/** Whether a text is a day like '2026-04-15'. JavaScript reads 31 February as 3 March. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(dayNumber(text)) && dayText(dayNumber(text)) === text;

/** The day '2026-04-15' of a day number, such as that of `indianDay`. */
export const dayText = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);
