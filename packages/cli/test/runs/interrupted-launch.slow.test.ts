import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { must } from '@runward/testing/process';
import test, { type ExecutionContext } from 'ava';
import { finished, spawnCommand } from '../support/command.ts';
import { namedRows, prepareCsv, type Launched } from '../support/csv.ts';
import { startProxy, type Decision } from '../support/proxy.ts';
import { useServer, type Workplace } from '../support/service.ts';

const { app, newWorkplace } = useServer(test);
const map = ['--map', 'title=Onboard {name}'];
const settleFast = ['--settle', '0.2'];
/** Enough rows for a signal to arrive long before the last one is launched, even on a busy machine. */
const many = 100;
const onboarded = (rows: readonly string[]) => rows.slice(1).map((name) => `Onboard ${name}`);

/**
 * Launches rows in requests of two through a proxy, and kills the command at the first request that gets no response:
 * after the service has carried it out (`drop response`), or before it has it (`drop request`).
 */
async function killed(t: ExecutionContext, work: Workplace, args: readonly string[], decision: Decision) {
  const proxy = await startProxy(t, app.baseUrl, (_, index) => (index === 1 ? decision : 'forward'));
  const env = { ...work.env, RUNWARD_BASE_URL: proxy.baseUrl };
  const child = spawnCommand([...args, '--rows-per-request', '2', '--concurrency', '1'], { env });
  const ending = finished(child);
  await proxy.dropped;
  child.kill('SIGKILL');
  await ending;
  return proxy;
}

test('a launch that is killed and run again launches every row exactly once', async (t) => {
  const work = await newWorkplace();
  const rows = namedRows(many);
  const { launch, journal, titles } = await prepareCsv(t, work, rows);
  const args = [...launch, ...map, ...settleFast, '--rows-per-request', '3'];
  for (const enough of [5, 20]) {
    const child = spawnCommand(args, { env: work.env });
    const ending = finished(child);
    while (((await readFile(journal, 'utf8').catch(() => '')).match(/"launched"/g)?.length ?? 0) < enough)
      await pause(5);
    child.kill('SIGKILL');
    t.is((await ending).code, null);
  }
  const last = await work.data<Launched>(args);
  t.is(last.launched + last.alreadyLaunched, many);
  t.true(last.alreadyLaunched >= 20);
  t.deepEqual(await titles(), onboarded(rows));
});

test('a command killed between a request and its journal entry repeats the request, which launches nothing again', async (t) => {
  const work = await newWorkplace();
  const rows = namedRows(5);
  const { launch, titles, journal } = await prepareCsv(t, work, rows);
  const args = [...launch, ...map];
  const proxy = await killed(t, work, args, 'drop response');
  t.is((await titles()).length, 4);
  t.is((await readFile(journal, 'utf8')).match(/"launched"/g)?.length, 2);
  const dry = await work.runward([...args, '--dry-run', '-o', 'csv', '--fields', 'line,prospect']);
  const prospects = ['2,already launched', '3,already launched', '4,broke off', '5,broke off', '6,new'];
  t.is(dry.stdout, `line,prospect\n${prospects.join('\n')}\n`);

  const again = await startProxy(t, app.baseUrl, () => 'forward');
  const result = await work.data<Launched>(args, { env: { RUNWARD_BASE_URL: again.baseUrl } });
  t.like(result, { launched: 1, alreadyLaunched: 4 });
  t.deepEqual(again.launches[0], proxy.launches[1]);
  t.regex(again.launches[0]?.idempotencyKey ?? '', /^[0-9a-f-]{36}$/);
  t.deepEqual(await titles(), onboarded(rows));
  t.is(new Set(result.rows.map(({ runId }) => runId)).size, 5);
});

test('a request that the service may have carried out is repeated with its key, and launches nothing again', async (t) => {
  const work = await newWorkplace();
  const rows = namedRows(4);
  const { launch, titles } = await prepareCsv(t, work, rows);
  const proxy = await startProxy(t, app.baseUrl, (_, index) => (index === 0 ? 'fail response' : 'forward'));
  const args = [...launch, ...map, '--rows-per-request', '3', '--concurrency', '1'];
  const result = await work.data<Launched>(args, { env: { RUNWARD_BASE_URL: proxy.baseUrl } });
  t.like(result, { launched: 4, alreadyLaunched: 0, unclear: 0 });
  t.deepEqual(proxy.launches[1], proxy.launches[0]);
  t.is(proxy.launches.length, 3);
  t.deepEqual(await titles(), onboarded(rows));
});

test('a command killed before its request arrived launches the rows of the request', async (t) => {
  const work = await newWorkplace();
  const rows = namedRows(5);
  const { launch, titles } = await prepareCsv(t, work, rows);
  const args = [...launch, ...map];
  await killed(t, work, args, 'drop request');
  t.is((await titles()).length, 2);
  t.like(await work.data<Launched>(args), { launched: 3, alreadyLaunched: 2 });
  t.deepEqual(await titles(), onboarded(rows));
});

test('a kill in the middle of a journal entry leaves a journal that the next command continues', async (t) => {
  const work = await newWorkplace();
  const rows = namedRows(4);
  const { launch, titles, journal } = await prepareCsv(t, work, rows);
  const args = [...launch, ...map];
  await work.data<Launched>(args);
  // The results of a request are written at once; only the first of these reached the disk.
  const lines = (await readFile(journal, 'utf8')).split('\n');
  await writeFile(journal, `${lines.slice(0, 6).join('\n')}\n${lines[6]?.slice(0, 40)}`);
  t.like(await work.data<Launched>(args), { launched: 0, alreadyLaunched: 4 });
  t.deepEqual(await titles(), onboarded(rows));
});

test('with another API key, runs of lost responses are found, also if they were renamed, and lost rows are launched', async (t) => {
  const work = await newWorkplace();
  const { launch, titles } = await prepareCsv(t, work, namedRows(5));
  const args = [...launch, ...map, ...settleFast];
  await killed(t, work, args, 'drop response');
  const { body } = await work.org.api.call('runs', 'list', {});
  const found = body.data.find(({ title }) => title === 'Onboard Person 02');
  await must(work.org.api.call('runs', 'update', { params: { id: found?.id ?? '' }, body: { title: 'Renamed' } }));

  const env = { RUNWARD_API_KEY: await work.newKey(['runs:read', 'runs:execute', 'templates:read', 'users:read']) };
  const result = await work.data<Launched>(args, { env });
  t.like(result, { launched: 1, alreadyLaunched: 4 });
  t.like(result.rows[2], { runId: found?.id, title: 'Renamed' });
  const names = ['Person 00', 'Person 01', 'Person 03', 'Person 04'];
  t.deepEqual(await titles(), [...names.map((name) => `Onboard ${name}`), 'Renamed']);
});

test('an interrupted row whose outcome is unknown is reported with the matching runs, and --resolve decides', async (t) => {
  const work = await newWorkplace();
  const { launch, titles, templateId } = await prepareCsv(t, work, namedRows(3));
  const args = [...launch, ...map, ...settleFast];
  await killed(t, work, args, 'drop response');
  await must(work.org.api.call('runs', 'launch', { body: { templateId, title: 'Onboard Person 02' } }));

  const env = { RUNWARD_API_KEY: await work.newKey(['runs:read', 'runs:execute']) };
  const unclear = await work.runward(args, { env });
  t.is(unclear.code, 1);
  const result = JSON.parse(unclear.stdout) as Launched;
  t.like(result, { alreadyLaunched: 2, unclear: 1 });
  t.is(result.rows[2]?.messages?.filter((message) => /RUN-\w+ \S+ "Onboard Person 02"/.test(message)).length, 2);
  t.regex(unclear.stdout, /--resolve retry/);

  const blind = await work.runward(args, { env: { RUNWARD_API_KEY: await work.newKey(['runs:execute']) } });
  t.regex(blind.stdout, /the API key does not have the scope to read runs/);
  const skip = [...args, '--resolve', 'skip'];
  t.like(await work.data<Launched>(skip, { env }), { skipped: 1, alreadyLaunched: 2 });
  t.like(await work.data<Launched>([...args, '--resolve', 'retry']), { skipped: 1, alreadyLaunched: 2 });
  t.is((await titles()).length, 4);
});

test('Ctrl-C lets the requests under way finish; a second process cannot launch the same file', async (t) => {
  const work = await newWorkplace();
  const { launch, titles, journal } = await prepareCsv(t, work, namedRows(many));
  const args = [...launch, ...map, '--rows-per-request', '2'];
  const child = spawnCommand(args, { env: work.env });
  const ending = finished(child);
  while (!(await readFile(journal, 'utf8').catch(() => '')).includes('"launched"')) await pause(5);
  child.kill('SIGSTOP');
  const second = await work.runward(args);
  t.is(second.code, 1);
  t.regex(second.stderr, /Another process is launching this file/);
  child.kill('SIGINT');
  child.kill('SIGCONT');

  const { code, stdout } = await ending;
  t.is(code, 130);
  const result = JSON.parse(stdout) as Launched;
  t.is(result.launched + result.notTried, many);
  t.is((await titles()).length, result.launched);
  t.like(await work.data<Launched>(args), { launched: result.notTried, alreadyLaunched: result.launched });
  t.is(new Set(await titles()).size, many);
});

test('an error that does not concern a row stops the launch early; the next launch continues', async (t) => {
  const work = await newWorkplace();
  const { launch, titles } = await prepareCsv(t, work, namedRows(6));
  const args = [...launch, ...map, '--rows-per-request', '2'];
  const env = { RUNWARD_API_KEY: await work.newKey(['templates:read', 'users:read']) };
  const revoked = await work.runward(args, { env });
  t.is(revoked.code, 4);
  t.like(JSON.parse(revoked.stdout), { launched: 0, failed: 0, notTried: 6 });
  t.like(JSON.parse(revoked.stderr), { missingScope: 'runs:execute', exitCode: 4 });
  const shown = await work.runward([...args, '-o', 'table'], { env });
  t.regex(shown.stderr, /^Stopped: 0 of 6 rows are launched\. Run the same command again to continue\.$/m);
  t.is((await work.data<Launched>(args)).launched, 6);
  t.is((await titles()).length, 6);
});

test('Ctrl-C ends the wait for the rate limit, and the same command launches the rows that are left', async (t) => {
  const work = await newWorkplace();
  const { launch, titles } = await prepareCsv(t, work, namedRows(3));
  const args = [...launch, ...map, '--rows-per-request', '1', '--concurrency', '1'];
  const proxy = await startProxy(t, app.baseUrl, (_, index) => (index === 0 ? 'forward' : 'limit'));
  const child = spawnCommand([...args, '-o', 'table'], { env: { ...work.env, RUNWARD_BASE_URL: proxy.baseUrl } });
  const ending = finished(child);
  await new Promise<void>((resolve) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      if (chunk.includes('Trying again in 50 s; Ctrl-C stops.')) resolve();
    });
  });
  child.kill('SIGINT');
  const { code, stderr } = await ending;
  t.is(code, 130);
  t.regex(stderr, /^Stopped: 1 of 3 rows are launched\. Run the same command again to continue\.$/m);
  t.is((await titles()).length, 1);
  t.like(await work.data<Launched>(args), { launched: 2, alreadyLaunched: 1 });
});
