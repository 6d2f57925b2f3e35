#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import envPaths from 'env-paths';
import { quitOnSignals } from './terminal/interrupt.ts';

// Whoever reads the output may stop early, like `| head`: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.stderr.on('error', () => {});
quitOnSignals();

// Compiled code is kept between two commands, which starts them in a third of the time; only what is loaded from here on is.
enableCompileCache(envPaths('runward', { suffix: '' }).cache);
const { run } = await import('./run.ts');
await run(process.argv.slice(2));
