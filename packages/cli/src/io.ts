import type { Readable, Writable } from 'node:stream';

/** A stream that input is read from. */
export type InputStream = Readable & { readonly isTTY?: boolean | undefined };

/** A stream that output is written to. What it has besides writing is that of a terminal (`tty.WriteStream`). */
export type OutputStream = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  getColorDepth?(env?: object): number;
};

/** Everything a command uses of the process it runs in. `processIo` is that of a real process; a program can pass its own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory that relative paths on the command line start from. */
  readonly cwd: string;
  /** The directory of the stored profiles, unless RUNWARD_CONFIG names a file. */
  readonly configDirectory: string;
  /** The directory for what completion remembers of the server; nothing is remembered without it. */
  readonly cacheDirectory?: string;
  readonly stdin: InputStream;
  /** Receives data only. */
  readonly stdout: OutputStream;
  /** Receives messages, questions and errors. */
  readonly stderr: OutputStream;
  /** Aborted to stop the command, as Ctrl-C does. The exit code is then 130, or 143 if the reason is `SIGTERM`. */
  readonly signal: AbortSignal;
}
