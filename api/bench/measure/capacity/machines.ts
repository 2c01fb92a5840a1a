/** From measured figures to the machines of an installation. */

/** What `capacity` measures. */
export interface CapacityFigures {
  /** Requests a second of one web process, in a step that held its limits. */
  requestsPerWeb: number;
  /** Calls of a phone that opens the app, on average. */
  requestsPerPhone: number;
  /** Bytes of the answers to a phone that opens the app, on average. */
  bytesPerPhone: number;
  statementsPerRequest: number;
  /** Processor time of the database for one statement, with everything else that it did in that time. */
  databaseSecondsPerStatement: number;
  /** One worker, with the default window. */
  pushesPerWorker: number;
  mailsPerWorker: number;
}

/** What is assumed and not measured. */
export const ASSUMPTIONS = {
  /** Share of all users who open the app in the busiest minute. */
  peakMinuteShare: 0.02,
  /** Pushes and mails of 11:00 for each user. */
  pushesPerUser: 1,
  mailsPerUser: 0.1,
  /** Minutes in which they are sent. */
  reminderMinutes: 10,
  /** A process more than needed, so that one may fail. */
  spareProcesses: 1,
  /** Cores of one database server that requests of the busiest minute may use. */
  databaseCores: 8,
  /** Seconds in which a statement holds a connection: the way to the database and back. */
  statementSeconds: 0.03,
  /** `default_pool_size` of docker/pooler/pgbouncer.ini. */
  minPooled: 40,
  /** Bytes that a phone loads more on the day of an update (`bench deploy-size`). */
  updateBytes: 55_000,
  /** Bits a second from which a CDN is worth its configuration: a tenth of a line of 1 Gbit/s. */
  cdnBits: 100_000_000,
} as const;

/** Connections of a process to the database, at most. */
const WEB_CONNECTIONS = 35;
const WORKER_CONNECTIONS = 38;
/** Connections of a pooler that a worker holds while it sends pushes (docs/operations.md, pooler). */
const POOLED_OF_WORKER = 8;
const MIN_POOLED_FOR_WEB = 8;

export interface Machines {
  requestsPerSecond: number;
  /** One core each. */
  webProcesses: number;
  workers: number;
  /** `max_connections` without a pooler. */
  connections: number;
  /** Connections of a pooler by transaction. */
  pooledConnections: number;
  databaseCores: number;
  /** Replicas for reading; one for failover comes in addition. */
  replicas: number;
  hasCdn: boolean;
}

/** The machines that a number of users needs in the minute of 11:00. */
export function machinesFor(users: number, figures: CapacityFigures): Machines {
  const { spareProcesses } = ASSUMPTIONS;
  const openings = (users * ASSUMPTIONS.peakMinuteShare) / 60;
  const requestsPerSecond = openings * figures.requestsPerPhone;
  const statements = requestsPerSecond * figures.statementsPerRequest;
  const reminderSeconds = ASSUMPTIONS.reminderMinutes * 60;
  const busyWorkers = Math.max(
    (users * ASSUMPTIONS.pushesPerUser) / reminderSeconds / figures.pushesPerWorker,
    (users * ASSUMPTIONS.mailsPerUser) / reminderSeconds / figures.mailsPerWorker,
  );
  const webProcesses = Math.ceil(requestsPerSecond / figures.requestsPerWeb) + spareProcesses;
  const workers = Math.ceil(busyWorkers) + spareProcesses;
  const databaseCores = statements * figures.databaseSecondsPerStatement;
  // Statements come unevenly: twice the connections that are busy on average.
  const pooledForWeb = Math.max(MIN_POOLED_FOR_WEB, Math.ceil(2 * statements * ASSUMPTIONS.statementSeconds));
  const bits = openings * (figures.bytesPerPhone + ASSUMPTIONS.updateBytes) * 8;
  return {
    requestsPerSecond,
    webProcesses,
    workers,
    connections: webProcesses * WEB_CONNECTIONS + workers * WORKER_CONNECTIONS,
    pooledConnections: Math.max(ASSUMPTIONS.minPooled, pooledForWeb + workers * POOLED_OF_WORKER),
    databaseCores,
    replicas: Math.max(0, Math.ceil(databaseCores / ASSUMPTIONS.databaseCores) - 1),
    hasCdn: bits > ASSUMPTIONS.cdnBits,
  };
}
