import { setTimeout as pause } from 'node:timers/promises';
import { contract } from '@runward/contract';
import type { Figure, Part } from '../harness/part.ts';
import { headersOf } from '../harness/profile.ts';
import { download, timed, timeEach } from '../harness/times.ts';
import { watchMemory } from '../harness/usage.ts';
import { completeRun } from '../seed/complete-run.ts';
import { startOn } from '../seed/many-runs.ts';

const pauseMs = 5;

/**
 * The time for the PDF of a small run and of one with over 5,000 activity lines, and how long small requests wait
 * meanwhile.
 */
export const pdf: Part = {
  name: 'pdf',
  needs: 'nothing',
  measure: async (bench) => {
    const { service, api, apiKey } = await startOn(bench, 'pdf');
    const figures: Figure[] = [];
    for (const { tasks, fields, exports, aim } of [
      { tasks: 10, fields: 3, exports: 20, aim: 'p50 <= 300' },
      { tasks: bench.profile.isQuick ? 50 : 500, fields: 4, exports: 5, aim: 'p50 <= 5000' },
    ]) {
      const path = contract.runs.exportRunPdf.path.replace(':id', await completeRun(api, tasks, fields));
      const memory = watchMemory(service.pid);
      const waits = watchWaits(service.url + contract.health.live.path);
      const times = await timeEach(exports, () => download(service.url + path, headersOf({ apiKey })));
      figures.push(
        { name: `PDF of ${tasks} tasks, ms`, ...times, aim },
        { name: 'longest wait of another request, ms', max: await waits.stop(), aim: '<= 50' },
        { name: 'memory of the service, MB', max: await memory.stop(), aim: '< 250' },
      );
    }
    return { figures };
  },
};

/** Sends small requests continuously. `stop` returns the longest wait in milliseconds. */
function watchWaits(url: string): { stop(): Promise<number> } {
  let longest = 0;
  const stopped = new AbortController();
  const watched = (async () => {
    while (!stopped.signal.aborted) {
      longest = Math.max(longest, (await timed(() => download(url))).ms);
      await pause(pauseMs);
    }
  })();
  return {
    stop: async () => {
      stopped.abort();
      await watched;
      return longest;
    },
  };
}
