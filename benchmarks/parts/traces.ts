import { contract } from '@runward/contract';
import { compare, type Comparison, type Scenario } from '../harness/compare.ts';
import type { Part } from '../harness/part.ts';
import { sending } from '../harness/profile.ts';
import { startRunward } from '../harness/service.ts';
import { startReceiverProcess } from '../load/receiver-process.ts';
import { disableWebhooks } from '../seed/disable-webhooks.ts';

/** Lists and launches on a service that exports the trace of every tenth request; the baseline exports none. */
export const traces: Part = {
  name: 'traces',
  needs: 'seed',
  measure: async (bench) => {
    const { stack, seeded, folder } = bench;
    // No process delivers.
    await disableWebhooks(bench);
    const receiver = stack.use(await startReceiverProcess(folder));
    const start = async (env: Readonly<Record<string, string>>) =>
      stack.use(await startRunward({ ...bench, mode: 'production', role: 'api', env }));
    const sampled = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: new URL('/v1/traces', receiver.url).href,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    };
    const targets = { service: await start(sampled), baseline: await start({}) };
    const { list, launch } = contract.runs;
    const requests = [
      { method: list.method, path: list.path },
      { method: launch.method, path: launch.path, body: JSON.stringify({ templateId: seeded.templateId }) },
    ];
    const comparisons: Comparison[] = [];
    for (const request of requests) {
      const name = `${request.method} ${request.path}, with traces and without`;
      const scenario: Scenario = { name, unit: 'req/s', aim: 0.98, job: sending(bench, [request]) };
      comparisons.push(await compare(bench, targets, scenario));
    }
    return { comparisons };
  },
};
