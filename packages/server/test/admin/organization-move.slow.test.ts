import { apiOf } from '@runward/testing/api';
import { startApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { startProgram } from '@runward/testing/program';
import { until } from '@runward/testing/until';
import test from 'ava';
import { readState } from '../../src/database/cells/move/move-state.ts';
import type { MoveStep } from '../../src/organization/entities/organization-move.ts';
import { adminIn } from '../support/admin.ts';
import { hashesOf, newCells } from '../support/database/two-cells.ts';

test('a move that is killed at any step goes on when it is begun again, or is undone', async (t) => {
  await using stack = new AsyncDisposableStack();
  const { first, second } = await newCells(stack);
  const service = await startApp(stack, { databaseUrl: first.url });
  const next = await startApp(stack, { databaseUrl: second.url });
  const { organizationId: id, api, apiKey } = await newOrganization(service);
  const { templateId } = await publishProcess(api);
  const launch = async (by = api) => (await by.call('runs', 'launch', { body: { templateId } })).status;
  const env = { DATABASE_URL: first.url };
  const { run, json } = adminIn(env);
  const stepOf = async ({ client }: typeof first) => (await readState(client, id))?.step ?? null;

  /** Kills a move once its first cell has reached a step. `hold` keeps it there, until its end is called. */
  const killAt = async (step: MoveStep, hold: () => Promise<() => Promise<unknown>>) => {
    const end = await hold();
    const args = ['organization', 'move', id, '--to-schema', second.name];
    const program = startProgram('packages/server/src/admin/main.ts', args, { env });
    await until(async () => {
      if (program.process.exitCode !== null) throw new Error(program.output());
      return (await stepOf(first)) === step;
    }, `the step ${step}`);
    await program.end('SIGKILL');
    t.is(await stepOf(first), step);
    return end;
  };
  /** Locks something in a cell. */
  const locking =
    ({ client }: typeof first, statement: string) =>
    async () => {
      await client.query('begin');
      await client.query(statement);
      return async () => client.query('commit');
    };

  const nothing = async () => async () => {};
  const unlock = await killAt('COPYING', locking(second, 'lock table templates in exclusive mode'));
  t.is(await launch(), 201);
  await unlock();
  await killAt('DRAINING', nothing);
  t.is(await launch(), 201);

  // Begins after the step before, so that this does not wait for it.
  const share = `select from organizations where id = '${id}' for key share`;
  const release = await killAt('STOPPED', locking(first, share));
  t.is(await launch(), 503);
  await release();
  const before = await hashesOf(first.client, id);
  t.is((await run(['organization', 'move', id, '--abort'])).code, 0);
  t.is(await stepOf(first), null);
  t.true(Object.values(await hashesOf(second.client, id)).every((hash) => hash.startsWith('0 rows')));
  t.deepEqual(await hashesOf(first.client, id), before);
  t.is(await launch(), 201);

  await killAt('DRAINING', nothing);
  const serve = await killAt('MOVED', locking(second, 'select from organization_moves for update'));
  t.is(await launch(), 421);
  t.is(await launch(apiOf(next.baseUrl, apiKey)), 503);
  await serve();
  t.like(await json(['organization', 'move', id, '--to-schema', second.name]), { rows: null, to: second.name });
  t.is(await launch(apiOf(next.baseUrl, apiKey)), 201);
  t.is(await launch(), 421);
  const stale = await run(['plan', 'set', 'FREE', '--organization', id]);
  t.is(stale.code, 1);
  t.regex(stale.stderr, /is not served by this cell now/);

  const moveIn = async (cell: typeof first) => {
    const rows: unknown = await adminIn({ DATABASE_URL: cell.url }).json(['organization', 'list']);
    return (rows as { id: string; move: unknown }[]).find((row) => row.id === id)?.move;
  };
  t.deepEqual(await moveIn(first), { step: 'MOVED', cell: second.name });
  t.is(await moveIn(second), null);
  t.regex((await run(['organization', 'list'])).stdout, new RegExp(` \\(moved to ${second.name}\\)$`, 'm'));

  t.is((await run(['organization', 'move', id, '--remove-source'])).code, 0);
  t.true(Object.values(await hashesOf(first.client, id)).every((hash) => hash.startsWith('0 rows')));
  const { total } = await must(apiOf(next.baseUrl, apiKey).call('runs', 'list', {}));
  t.is(total, 4);
  const audit = await adminIn({ DATABASE_URL: second.url }).json(['audit', id, '--verify']);
  t.is(audit['problem'], null as never);
  const { rows: moved } = await second.client.query(
    "select actor_type as actor, before, after from audit_lines where action = 'organization.moved'",
  );
  t.deepEqual(moved, [{ actor: 'ADMINISTRATION', before: { schema: first.name }, after: { schema: second.name } }]);
});
