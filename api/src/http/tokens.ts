/** What the app binds and features inject. */

/** `() => Date`; tests drive it. */
export const CLOCK = Symbol('clock');

/** `pg.Pool` whose statements end after three seconds, for reads that anybody may ask for. */
export const READ_POOL = Symbol('read pool');

/** The same of the replica; undefined where there is none. */
export const REPLICA_POOL = Symbol('replica pool');

/** `Config` of the process. */
export const CONFIG = Symbol('config');
