/** What the benchmarks use of autocannon, which brings no types. */
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
  // biome-ignore lint/style/noDefaultExport: that is how the package exports it
  export default function autocannon(options: Options): Promise<Result>;
}
