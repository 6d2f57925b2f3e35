import { enableCompileCache } from 'node:module';
import { constants } from 'node:os';
import envPaths from 'env-paths';
import { processIo } from './process-io.ts';

// A consumer such as `head` may close the pipe early. This is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`Error: standard output cannot be written: ${error.message}.\n`, () => process.exit(1));
});
process.stderr.on('error', () => {});

const stop = new AbortController();
// Closing the terminal ends the command like SIGTERM. Without a terminal, SIGHUP keeps its default, because nohup
// ignores it.
const signals = process.stdin.isTTY ? (['SIGINT', 'SIGTERM', 'SIGHUP'] as const) : (['SIGINT', 'SIGTERM'] as const);
for (const signal of signals) {
  process.on(signal, () => {
    // After the first signal the command finishes what is under way. A second signal stops it at once.
    if (stop.signal.aborted) process.exit(128 + constants.signals[signal]);
    stop.abort(signal === 'SIGHUP' ? 'SIGTERM' : signal);
  });
}

// The prompts reset the terminal mode when they end, which fails if the terminal is closed.
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
// The library that draws the prompts reads the environment of the process.
if (args.includes('--no-color')) {
  process.env['NO_COLOR'] = '1';
  delete process.env['FORCE_COLOR'];
}

// Caching compiled code cuts the start-up time to a third. It applies only to modules imported after this call.
enableCompileCache(envPaths('runward', { suffix: '' }).cache);
const { run } = await import('./run.ts');
process.exitCode = await run(args, processIo(stop.signal));
// Open connections and timers of a stopped command would keep the process alive. The output is written first.
if (stop.signal.aborted) process.stdout.write('', () => process.exit());
