import { setTimeout as pause } from 'node:timers/promises';
import { contract } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import type { Figure, Part } from '../harness/part.ts';
import { headersOf } from '../harness/profile.ts';
import { download, timed, timeEach } from '../harness/times.ts';
import { watchMemory } from '../harness/usage.ts';
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
    const { baseUrl, pid } = service;
    const figures: Figure[] = [];
    // A form writes two activity lines per value, one when it is opened and one when it is completed.
    for (const { tasks, fields, exports, aim } of [
      { tasks: 10, fields: 3, exports: 20, aim: 'p50 <= 300' },
      { tasks: bench.profile.isQuick ? 50 : 500, fields: 4, exports: 5, aim: 'p50 <= 5000' },
    ]) {
      const path = contract.runs.exportRunPdf.path.replace(':id', await completeRun(api, tasks, fields));
      const memory = watchMemory(pid);
      const waits = watchWaits(`${baseUrl}${contract.health.live.path}`);
      const times = await timeEach(exports, () => download(baseUrl + path, headersOf({ apiKey })));
      figures.push(
        { name: `PDF of ${tasks} tasks, ms`, ...times, aim },
        { name: 'longest wait of another request, ms', max: await waits.stop(), aim: '<= 50' },
        { name: 'memory of the service, MB', max: await memory.stop(), aim: '< 250' },
      );
    }
    return { figures };
  },
};

/** Publishes forms, launches a run and completes all its forms. Returns the id of the run. */
async function completeRun(api: Api, tasks: number, fields: number): Promise<string> {
  const form = Array.from({ length: fields }, (_, place) => ({ label: `Answer ${place + 1}`, type: 'TEXT' as const }));
  const sketches = Array.from({ length: tasks }, (_, index) => ({ title: `Check of item ${index + 1}`, fields: form }));
  const { templateId } = await publishProcess(api, sketches, { name: `Audit of ${tasks}` });
  const draft = await must(api.call('templates.draft', 'get', { params: { id: templateId } }));
  const run = await launchRun(api, templateId, { title: 'Audit' });
  for (const [index, { runTaskId }] of run.tasks.entries()) {
    for (const word of ['Draft', 'Final']) {
      const values = (draft.tasks[index]?.fields ?? []).map(({ id, label }) => {
        return { runTaskFieldId: id, value: `${word}: ${label} was checked and found to be in order.` };
      });
      const body = { runTaskId, values, complete: word === 'Final' };
      await must(api.call('execution', 'submitForm', { body }));
    }
  }
  return run.id;
}

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
