import envPaths from 'env-paths';
import type { Io } from './io.ts';

/** The environment, directories and streams of this process. `signal` stops the command when it is aborted. */
export function processIo(signal: AbortSignal): Io {
  const { env, stdin, stdout, stderr } = process;
  const { config, cache } = envPaths('runward', { suffix: '' });
  return {
    env,
    cwd: process.cwd(),
    configDirectory: config,
    cacheDirectory: cache,
    stdin,
    stdout,
    stderr,
    signal,
  };
}
