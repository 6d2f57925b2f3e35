/**
 * A process whose jobs a test watches: `job-process.ts JSON`, with the options of `startScheduler` and the names of tasks that run every
 * second. It prints the name of each as it runs; one called `stuck` never ends. SIGTERM stops it.
 */
import { pino } from 'pino';
import { startScheduler } from '../../src/scheduler/scheduler.ts';

const { names, ...options } = JSON.parse(process.argv[2] ?? '') as { databaseUrl: string; names: string[] };
const jobs = await startScheduler({
  ...options,
  log: pino({ level: 'info' }, process.stderr),
  jobs: names.map((name) => ({
    name,
    everySeconds: 1,
    run: async () => {
      console.log(name);
      if (name === 'stuck') await new Promise(() => {});
    },
  })),
});
process.once('SIGTERM', () => void jobs.stop());
