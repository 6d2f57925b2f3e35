import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { openDatabase } from '../src/database/database.ts';
import { ApiKey } from '../src/organization/entities/api-key.ts';
import { inTransaction } from '../src/database/transaction.ts';
import { createApiKey, createOrganization } from '../src/organization/create-organization.ts';
import { apiOf } from '@runward/testing/api';
import { createDatabase } from '@runward/testing/database';
import { cheapPasswords } from '@runward/testing/passwords';
import { startService } from '@runward/testing/service';

test('two processes on one database share rate limits, and a revoked key stops in both immediately', async (t) => {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const dataDir = mkdtempSync(join(tmpdir(), 'runward-two-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const services = await Promise.all([
    startService(dataDir, { DATABASE_URL: url, RATE_LIMIT_WRITES_PER_MINUTE: '60' }),
    startService(dataDir, { DATABASE_URL: url, RATE_LIMIT_WRITES_PER_MINUTE: '60' }),
  ]);
  t.teardown(() => services.forEach(({ child }) => child.kill('SIGKILL')));
  await Promise.all(services.map((service) => service.ready()));
  const database = await openDatabase(url);
  t.teardown(() => database.close());
  const { organizationId, ownerUserId, apiKey } = await inTransaction(database, (em) =>
    createOrganization(em, cheapPasswords, {
      name: 'Two',
      plan: 'BUSINESS',
      timeZone: 'UTC',
      ownerEmail: 'two@example.com',
    }),
  );
  const apis = services.map(({ baseUrl }) => apiOf(baseUrl, apiKey));
  const write = async (index: number) => {
    const answer = await apis[index % 2]?.raw('POST', '/templates', { body: { name: `T${index}` } });
    return answer?.status;
  };

  const statuses: (number | undefined)[] = [];
  for (let sent = 0; sent < 80; sent += 20) {
    statuses.push(...(await Promise.all(Array.from({ length: 20 }, (_, index) => write(sent + index)))));
  }
  t.is(statuses.filter((status) => status === 201).length, 60);
  t.is(statuses.filter((status) => status === 429).length, 20);

  let refused = 0;
  for (let pair = 0; pair < 50; pair += 1) {
    const { id, plainKey } = await inTransaction(database, (em) =>
      createApiKey(em, { organizationId, createdByUserId: ownerUserId, name: 'Short', scopes: ['runs:read'] }),
    );
    const [here, there] = services.map(({ baseUrl }) => apiOf(baseUrl, plainKey));
    if (pair === 0) t.is((await here?.raw('GET', '/runs'))?.status, 200);
    await inTransaction(database, (em) => em.nativeUpdate(ApiKey, { id }, { revokedAt: new Date() }));
    const answer = await (pair % 2 === 0 ? here : there)?.raw('GET', '/runs');
    if (answer?.status === 401) refused += 1;
  }
  t.is(refused, 50);
});
