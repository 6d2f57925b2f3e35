import { type Latency, measureLatency, startReceiver } from './latency.ts';
import { moveWebhook, type Seed } from './seed.ts';
import { type Role, startRunward } from './service.ts';
import { headersOf, launchBody } from './subjects.ts';

/** What measuring an idle service needs. */
export interface IdleBench {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly seeded: Seed;
  /** Runs to launch. */
  readonly events: number;
}

/**
 * Measures the way from event to receiver in a service of these processes, the first of which serves the API. What it starts is stopped
 * with the stack.
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
    const service = await startRunward({ databaseUrl, folder, mode: 'local', role });
    stack.defer(() => service.stop());
    urls.push(service.baseUrl);
  }
  const launch = { url: urls[0] ?? '', headers: headersOf(seeded), body: launchBody(seeded) };
  return measureLatency(receiver, launch, events);
}
