/**
 * Clocks of several servers differ a little. A stored instant that is further ahead than this was written by a clock that
 * has been set right since; a lock, code or limit that depends on it counts as ended.
 */
export const CLOCK_TOLERANCE_SECONDS = 5;

/** The latest instant that a right clock can have written by `now`, in any process. */
export const latestPlausibleInstant = (now: Date): Date => new Date(now.getTime() + CLOCK_TOLERANCE_SECONDS * 1_000);
