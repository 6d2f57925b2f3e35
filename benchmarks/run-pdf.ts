/**
 * Measures `GET /runs/:id/export/pdf`: `node --conditions=@runward/source benchmarks/run-pdf.ts`. Prints, for a run of 10 tasks and for one of
 * 500 tasks with at least 5,000 lines of activity, the median and the longest of several exports, one at a time, the longest wait of a
 * request for `/health/live` that was sent every 5 ms beside them, and the peak memory of the service.
 */
import { setTimeout } from 'node:timers/promises';
import type { BodyInput, Contract } from '@runward/contract';
import { apiOf, type Api } from '@runward/testing/api';
import { launchRun, must } from '@runward/testing/process';
import { startDatabase } from './database.ts';
import { prepareOrganization } from './many-runs.ts';
import { median } from './measured.ts';
import { startRunward } from './service.ts';
import { watchMemory } from './usage.ts';

type Draft = BodyInput<Contract['templates.draft']['replace']>;

/** Each form writes two lines per value, one for its opening and one for its completion. */
const measured = [
  { tasks: 10, fields: 3, exports: 20, aim: '<= 300 ms' },
  { tasks: 500, fields: 4, exports: 5, aim: '<= 5,000 ms' },
] as const;
const pauseMs = 5;

await using stack = new AsyncDisposableStack();
const { postgres, folder } = await startDatabase(undefined, stack);
const databaseUrl = postgres.url('service');
const apiKey = await prepareOrganization(databaseUrl);
const service = await startRunward({ databaseUrl, folder, mode: 'production' });
stack.defer(async () => {
  await service.stop();
});
const api = apiOf(service.baseUrl, apiKey);
for (const { tasks, fields, exports, aim } of measured) {
  const runId = await completeRun(api, tasks, fields);
  // The first export starts the process that lays out.
  await download(runId);
  const memory = watchMemory(service.pid);
  const waits = watchWaits();
  const times: number[] = [];
  let bytes = 0;
  for (let index = 0; index < exports; index += 1) {
    const began = performance.now();
    bytes = await download(runId);
    times.push(performance.now() - began);
  }
  const longest = await waits.stop();
  console.log(
    `${tasks} tasks: median ${median(times).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms (aim: ${aim}), ` +
      `${(bytes / 1e6).toFixed(2)} MB; another request waited up to ${longest.toFixed(0)} ms (aim: <= 50 ms); ` +
      `memory ${(await memory.stop()).toFixed(0)} MB (aim: < 250 MB)`,
  );
}

/** Publishes forms, launches a run and completes all of them. Returns the id of the run. */
async function completeRun(api: Api, tasks: number, fields: number): Promise<string> {
  const each = Array.from({ length: tasks }, (_task, index) => ({
    id: `new:${index}`,
    title: `Check of item ${index + 1}`,
    fields: Array.from({ length: fields }, (_field, place) => ({
      label: `Answer ${place + 1}`,
      type: 'TEXT' as const,
    })),
  }));
  const draft: Draft = { phases: [], variables: [], tasks: each };
  const { id: templateId } = await must(api.call('templates', 'create', { body: { name: `Audit of ${tasks}` } }));
  const saved = await must(api.call('templates.draft', 'replace', { params: { id: templateId }, body: draft }));
  await must(api.call('templates', 'publish', { params: { id: templateId } }));
  const run = await launchRun(api, templateId, { title: 'Audit' });
  for (const [index, { runTaskId }] of run.tasks.entries()) {
    for (const word of ['Draft', 'Final']) {
      const values = (saved.tasks[index]?.fields ?? []).map(({ id, label }) => {
        return { runTaskFieldId: id, value: `${word}: ${label} was checked and found to be in order.` };
      });
      const body = { runTaskId, values, complete: word === 'Final' };
      await must(api.call('execution', 'submitForm', { body }));
    }
  }
  return run.id;
}

async function download(runId: string): Promise<number> {
  const response = await fetch(`${service.baseUrl}/runs/${runId}/export/pdf`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  if (!response.ok) throw new Error(`The export failed with status ${response.status}: ${await response.text()}`);
  return (await response.arrayBuffer()).byteLength;
}

/** Sends small requests all the time; `stop` returns the longest wait for one of them, in milliseconds. */
function watchWaits(): { stop(): Promise<number> } {
  let longest = 0;
  const stopped = new AbortController();
  const watched = (async () => {
    while (!stopped.signal.aborted) {
      const began = performance.now();
      await (await fetch(`${service.baseUrl}/health/live`)).text();
      longest = Math.max(longest, performance.now() - began);
      await setTimeout(pauseMs);
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
