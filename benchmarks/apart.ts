import { contract } from '@runward/contract';
import { compare, type Bench, type Comparison } from './compare.ts';
import { headersOf, launchBody, type Profile } from './scenarios.ts';
import type { Seed } from './seed.ts';
import { startRunward } from './service.ts';

/**
 * Compares launches on a process that does not deliver with launches on one that does. The second one also delivers what the first one
 * publishes. The stack stops the first one.
 */
export async function compareApart(
  bench: Omit<Bench, 'service'>,
  { seeded, profile, folder }: { readonly seeded: Seed; readonly profile: Profile; readonly folder: string },
  stack: AsyncDisposableStack,
): Promise<Comparison> {
  const options = { databaseUrl: bench.serviceDatabaseUrl, folder, mode: 'production', role: 'api' } as const;
  const { baseUrl, pid } = stack.use(await startRunward(options));
  const { method, path } = contract.runs.launch;
  return compare(
    { ...bench, service: { url: baseUrl, pid } },
    {
      name: 'POST /runs: delivered by another process, and by this one',
      unit: 'req/s',
      aim: 1,
      job: (url, phase) => ({
        kind: 'requests',
        url,
        headers: headersOf(seeded),
        requests: [{ method, path, body: launchBody(seeded) }],
        seconds: phase === 'warm-up' ? profile.warmUpSeconds : profile.seconds,
      }),
    },
  );
}
