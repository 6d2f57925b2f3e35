import { type Latency, measureLatency, startReceiver } from './latency.ts';
import { moveWebhook, type Seed } from './seed.ts';
import { type Role, startRunward } from './service.ts';
import { headersOf, launchBody } from './scenarios.ts';

/** What measuring an idle service needs. */
export interface IdleBench {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly seeded: Seed;
  /** Runs to launch. */
  readonly events: number;
}

/**
 * Measures the time from event to receiver with one process of the service for each role, the first of which serves the API. The stack
 * stops what it starts.
 */
export async function measureIdle(
  { databaseUrl, folder, seeded, events }: IdleBench,
  roles: readonly Role[],
  stack: AsyncDisposableStack,
): Promise<Latency> {
  const receiver = stack.use(await startReceiver());
  await moveWebhook(databaseUrl, seeded, receiver.url);
  const urls: string[] = [];
  for (const role of roles) {
    const service = stack.use(await startRunward({ databaseUrl, folder, mode: 'local', role }));
    urls.push(service.baseUrl);
  }
  const launch = { url: urls[0] ?? '', headers: headersOf(seeded), body: launchBody(seeded) };
  return measureLatency(receiver, launch, events);
}
