import type { Readable, Writable } from 'node:stream';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Everything that a command uses of its process. */
export interface Io {
  readonly env: Environment;
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  /** Receives results only. */
  readonly stdout: Writable;
  /** Receives errors and, if it is a terminal, what is in progress. */
  readonly stderr: Writable & { readonly isTTY?: boolean | undefined };
}
