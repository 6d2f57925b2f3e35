import { enableCompileCache } from 'node:module';
import { constants } from 'node:os';
import envPaths from 'env-paths';
import { processIo } from './process-io.ts';

// A consumer may close the pipe early, as `head` does; this is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.stderr.on('error', () => {});

const stop = new AbortController();
// A terminal that is closed ends the command like SIGTERM. Elsewhere, SIGHUP stays as it is, because nohup ignores it.
const signals = process.stdin.isTTY ? (['SIGINT', 'SIGTERM', 'SIGHUP'] as const) : (['SIGINT', 'SIGTERM'] as const);
for (const signal of signals) {
  process.on(signal, () => {
    // The command is finishing what is under way; a second signal does not wait for that.
    if (stop.signal.aborted) process.exit(128 + constants.signals[signal]);
    stop.abort(signal === 'SIGHUP' ? 'SIGTERM' : signal);
  });
}

// What asks questions resets the mode of the terminal at their end, which fails if the terminal is closed.
const { stdin } = process;
if (stdin.isTTY) {
  const setRawMode = stdin.setRawMode.bind(stdin);
  stdin.setRawMode = (mode) => {
    try {
      return setRawMode(mode);
    } catch {
      return stdin;
    }
  };
}

const args = process.argv.slice(2);
// The library that draws the questions reads the environment of the process.
if (args.includes('--no-color')) {
  process.env['NO_COLOR'] = '1';
  delete process.env['FORCE_COLOR'];
}

// Caching the compiled code cuts the start-up time to a third. Only modules imported after this call are cached.
enableCompileCache(envPaths('runward', { suffix: '' }).cache);
const { run } = await import('./run.ts');
process.exitCode = await run(args, processIo(stop.signal));
// Open connections and timers of a stopped command would keep the process alive; the output is written first.
if (stop.signal.aborted) process.stdout.write('', () => process.exit());
