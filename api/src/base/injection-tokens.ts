/** `() => Date`; tests set it. */
export const CLOCK = Symbol('clock');

/** `(ms: number) => Promise<void>`; tests resolve it themselves. */
export const WAIT = Symbol('wait');

/** `pg.Pool` for public reads; statements time out after three seconds. */
export const READ_POOL = Symbol('read pool');

/** `pg.Pool` of one connection for health checks, so that they do not queue behind other statements. */
export const HEALTH_POOL = Symbol('health pool');

/** `Config` of the process. */
export const CONFIG = Symbol('config');

/**
 * Maximum difference between the clocks of several servers. A stored instant further ahead was written by a clock that has
 * been corrected since. A lock, code or limit that depends on such an instant counts as ended.
 */
export const CLOCK_TOLERANCE_SECONDS = 5;

/** The latest instant that a correct clock can have written by `now`, in any process. */
export const latestPlausibleInstant = (now: Date): Date => new Date(now.getTime() + CLOCK_TOLERANCE_SECONDS * 1_000);
