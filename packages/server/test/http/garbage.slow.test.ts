import { newDataFolder } from '@runward/testing/data-folder';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startServiceFor } from '@runward/testing/service';
import test from 'ava';
import { connectToNew } from '../support/database/connect.ts';

const requestsAtATime = 10;
const requestsPerRound = 200;
/** Until the code is compiled, what is kept of it counts as well. */
const roundsBefore = 15;
const rounds = 25;
/** A request that keeps its objects until the next major collection leaves 8,000 bytes or more. */
const mostBytesPerRequest = 3_000;

test('requests leave hardly anything in the old generation of the heap', async (t) => {
  const { url } = await connectToNew(t);
  await using folder = await newDataFolder();
  const service = await startServiceFor(t, folder.path, {
    DATABASE_URL: url,
    RATE_LIMIT_READS_PER_MINUTE: '1000000',
    LOG_LEVEL: 'warn',
  });
  const api = service.api();
  const { templateId } = await publishProcess(api);
  const { id } = await launchRun(api, templateId);
  const read = async (count: number) => {
    for (let sent = 0; sent < count; sent += 2) {
      await must(api.call('runs', 'get', { params: { id } }));
      await must(api.call('runs', 'list', { query: { limit: 1 } }));
    }
  };
  const oldBytes = async () => {
    const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
    return Number(/^nodejs_heap_space_size_used_bytes\{space="old"\} (\d+)$/m.exec(metrics)?.[1]);
  };
  let left = 0;
  let before = 0;
  for (let round = 0; round < roundsBefore + rounds; round += 1) {
    await Promise.all(Array.from({ length: requestsAtATime }, () => read(requestsPerRound / requestsAtATime)));
    const now = await oldBytes();
    // A major collection makes it less.
    if (round >= roundsBefore) left += Math.max(0, now - before);
    before = now;
  }
  const perRequest = Math.round(left / (rounds * requestsPerRound));
  t.log(`${perRequest} bytes per request`);
  t.true(perRequest > 0 && perRequest < mostBytesPerRequest, `${perRequest} bytes per request`);
});
