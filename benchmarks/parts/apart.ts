import { contract } from '@runward/contract';
import { compare } from '../harness/compare.ts';
import type { Part } from '../harness/part.ts';
import { sending } from '../harness/profile.ts';
import { startRunward } from '../harness/service.ts';

/**
 * Compares launches on a process that does not deliver with launches on one that does. The difference is the cost of
 * delivering. The second process also delivers what the first one publishes.
 */
export const apart: Part = {
  name: 'apart',
  needs: 'service',
  measure: async (bench) => {
    const service = bench.stack.use(await startRunward({ ...bench, mode: 'production', role: 'api' }));
    const { method, path } = contract.runs.launch;
    const body = JSON.stringify({ templateId: bench.seeded.templateId });
    const targets = { service, baseline: bench.service };
    const comparison = await compare(bench, targets, {
      name: 'POST /runs: delivered by another process, and by this one',
      unit: 'req/s',
      aim: 1,
      job: sending(bench, [{ method, path, body }]),
    });
    return { comparisons: [comparison] };
  },
};
