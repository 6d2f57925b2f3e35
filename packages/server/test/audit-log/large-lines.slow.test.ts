import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signIn } from '@runward/testing/api';
import { newDataFolder } from '@runward/testing/data-folder';
import { startServiceFor } from '@runward/testing/service';
import test from 'ava';
import { connectToNew } from '../support/database/connect.ts';

/** A change of the 1,000 templates of a webhook is such a line. */
const lineCount = 800;

test('an export of large lines of the audit log does not end the process for lack of memory', async (t) => {
  t.timeout(180_000);
  const { url, client } = await connectToNew(t);
  await using folder = await newDataFolder();
  const service = await startServiceFor(t, folder.path, {
    DATABASE_URL: url,
    NODE_OPTIONS: '--max-old-space-size=128 --max-semi-space-size=4',
  });
  await client.query(`
    with ids as (
      select jsonb_build_object('templateIds', jsonb_agg(gen_random_uuid())) as changed from generate_series(1, 1000)
    )
    insert into audit_lines (
      organization_id, sequence, at, action, actor_type, target_type, target_id, before, after, previous_hash, hash)
    select organization_id, count + number, now(), 'webhook.updated', 'SYSTEM', 'WEBHOOK', organization_id, changed,
      changed, hash, hash
    from audit_heads, ids, generate_series(100, 99 + ${lineCount}) number`);
  const credentials = readFileSync(join(folder.path, 'credentials.json'), 'utf8');
  const { ownerEmail = '', ownerPassword = '' } = JSON.parse(credentials) as Record<string, string>;
  const owner = await signIn(service.baseUrl, ownerEmail, ownerPassword);
  const { status, body } = await owner.raw('GET', '/audit-log/export?action=webhook.updated');
  t.is(status, 200, service.log());
  t.is(String(body).split('\r\n').length, 1 + lineCount + 1);
});
