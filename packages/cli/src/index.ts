// The command as a library. Everything it uses of a process is an argument.
export { exitCodes, type ExitCode } from './errors.ts';
export type { InputStream, Io, OutputStream } from './io.ts';
export { processIo } from './process-io.ts';
export { run } from './run.ts';
