import type { Readable, Writable } from 'node:stream';

/** A stream that input is read from. */
export type InputStream = Readable & { readonly isTTY?: boolean | undefined };

/** An output stream. On a terminal it also has the properties of a `tty.WriteStream`. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  getColorDepth?(env?: object): number;
};

/**
 * Everything a command uses of its process. `processIo` is the one of the real process; other programs can pass their
 * own.
 */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory that relative paths on the command line start from. */
  readonly cwd: string;
  /** The directory for profiles, unless RUNWARD_CONFIG names a file. */
  readonly configDirectory: string;
  /** The directory for cached completions. Without it, nothing is cached. */
  readonly cacheDirectory?: string;
  readonly stdin: InputStream;
  /** Receives data only. */
  readonly stdout: OutputStream;
  /** Receives messages, questions and errors. */
  readonly stderr: OutputStream;
  /** Stops the command when aborted, like Ctrl-C. The exit code is then 130, or 143 if the reason is `SIGTERM`. */
  readonly signal: AbortSignal;
}
