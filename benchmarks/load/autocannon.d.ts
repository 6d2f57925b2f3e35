/** The part of autocannon that the benchmark uses, because the package has no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  interface Request {
    readonly method: string;
    readonly path: string;
    readonly body?: string;
  }

  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    readonly headers: Readonly<Record<string, string>>;
    /** What each connection sends, over and over. */
    readonly requests: readonly Request[];
  }

  interface Result {
    /** Seconds. */
    readonly duration: number;
    readonly '2xx': number;
    readonly non2xx: number;
    readonly errors: number;
    readonly timeouts: number;
  }

  /** A running load. Emits `response` with (client, status, bytes, milliseconds). */
  type Load = EventEmitter & PromiseLike<Result>;

  const autocannon: (options: Options) => Load;
  export = autocannon;
}
