/**
 * A process whose jobs a test watches: `scheduler-process.ts JSON`, with the options of `startScheduler`, the names of
 * the jobs and their interval. It prints the name of each job as it runs. The job `stuck` never ends. SIGTERM stops the
 * scheduler.
 */
import { pino } from 'pino';
import { startScheduler } from '../../../src/scheduler/scheduler.ts';

const { names, everySeconds, ...options } = JSON.parse(process.argv[2] ?? '') as {
  databaseUrl: string;
  names: string[];
  everySeconds: number;
};
const scheduler = await startScheduler({
  ...options,
  log: pino({ level: 'info' }, process.stderr),
  jobs: names.map((name) => ({
    name,
    everySeconds,
    run: async () => {
      console.log(name);
      if (name === 'stuck') await new Promise(() => {});
    },
  })),
});
process.once('SIGTERM', () => void scheduler.stop());
