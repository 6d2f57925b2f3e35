import { randomBytes } from 'node:crypto';
import { newDataFolder } from '@runward/testing/data-folder';
import { cellsVariable } from '@runward/testing/database';
import { must, publishProcess } from '@runward/testing/process';
import { startServiceFor } from '@runward/testing/service';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import type { Cell } from '../../src/database/cells/cell.ts';
import { adminIn } from '../support/admin.ts';

/** `scripts/with-citus.ts` starts a cluster and sets the variables. */
const onCitus = process.env[cellsVariable] === 'true' ? test.serial : test.serial.skip;
const clusterUrl = process.env['TEST_DATABASE_URL'] ?? '';

/** A cell of one test, the administration command of the cluster, and where else the cell could be. */
async function newCell(t: ExecutionContext) {
  const name = `cell_${randomBytes(4).toString('hex')}`;
  const { run } = adminIn({ DATABASE_URL: clusterUrl });
  const json = async <Result>(...args: string[]): Promise<Result> => {
    const { code, stdout, stderr } = await run([...args, '--json']);
    t.is(code, 0, stderr);
    return JSON.parse(stdout) as Result;
  };
  const { node } = await json<{ node: string }>('cells', 'create', name);
  const client = new Client({ connectionString: clusterUrl });
  await client.connect();
  t.teardown(async () => {
    await client.query(`drop schema if exists ${name} cascade`);
    await client.end();
  });
  const { rows } = await client.query<{ node: string }>(
    `select nodename || ':' || nodeport as node from pg_dist_node where shouldhaveshards order by 1`,
  );
  const other = rows.map((row) => row.node).find((each) => each !== node) ?? '';
  const nodeNow = async () => (await json<Cell[]>('cells', 'list')).find((cell) => cell.name === name)?.node;
  return { name, node, other, run, json, nodeNow };
}

onCitus('a cell moves to another machine and back while runs are launched, and none is lost', async (t) => {
  const { name, node, other, json, nodeNow } = await newCell(t);
  await using folder = await newDataFolder();
  const service = await startServiceFor(t, folder.path, {
    DATABASE_URL: clusterUrl,
    DATABASE_SCHEMA: name,
    RATE_LIMIT_WRITES_PER_MINUTE: '1000000',
    RATE_LIMIT_READS_PER_MINUTE: '1000000',
  });
  const api = service.api();
  const { templateId } = await publishProcess(api);

  const moving = new AbortController();
  t.teardown(() => moving.abort());
  const launched: string[] = [];
  const failures: unknown[] = [];
  const clients = [1, 2, 3].map(async () => {
    while (!moving.signal.aborted) {
      const response = await api.call('runs', 'launch', { body: { templateId } });
      if (response.status === 201) launched.push(response.body.id);
      else failures.push(response.error);
    }
  });
  t.like(await json('cells', 'move', name, '--to', other), { name, from: node, to: other });
  t.is(await nodeNow(), other);
  const movedAfter = launched.length;
  t.like(await json('cells', 'move', name, '--to', node), { from: other, to: node });
  moving.abort();
  await Promise.all(clients);

  t.is(await nodeNow(), node);
  t.deepEqual(failures, []);
  t.true(movedAfter > 0 && launched.length > movedAfter, `${movedAfter} of ${launched.length}`);
  const { total } = await must(api.call('runs', 'list', { query: { limit: 1 } }));
  t.is(total, launched.length);
  for (const id of launched.slice(-20)) t.is((await api.call('runs', 'get', { params: { id } })).status, 200);
});

onCitus(
  'a move to a machine that is not of the cluster is refused with those that are, and the cell stays',
  async (t) => {
    const { name, node, other, run, nodeNow } = await newCell(t);
    const { code, stderr } = await run(['cells', 'move', name, '--to', 'nowhere:5432']);
    t.is(code, 1);
    t.true(
      stderr.includes('--to: nowhere:5432 is no machine of the cluster. It has ') && stderr.includes(other),
      stderr,
    );
    t.is(await nodeNow(), node);
    t.regex((await run(['cells', 'move', name, '--to', node])).stderr, /is on .+ already/);
    t.regex((await run(['cells', 'move', 'no_such_cell', '--to', other])).stderr, /There is no cell no_such_cell/);
  },
);
