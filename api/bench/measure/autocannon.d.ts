/** Types for the part of autocannon that the benchmarks use; the package has none. */
declare module 'autocannon' {
  interface Client {
    setRequests(requests: { path: string }[]): void;
  }
  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    headers?: Record<string, string>;
    setupClient(client: Client): void;
  }
  interface Result {
    '2xx': number;
    non2xx: number;
    errors: number;
    /** Seconds. */
    duration: number;
  }
  // biome-ignore lint/style/noDefaultExport: the package has a default export
  export default function autocannon(options: Options): Promise<Result>;
}
