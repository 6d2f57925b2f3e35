import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { must } from '@runward/testing/process';
import test from 'ava';
import { finished, spawnCommand } from '../support/command.ts';
import { namedRows, prepareCsv, type Launched } from '../support/csv.ts';
import { startProxy } from '../support/proxy.ts';
import { useServer } from '../support/service.ts';

const { app, newWorkplace } = useServer(test);
const map = ['--map', 'title=Onboard {name}'];
const settleFast = ['--settle', '0.2'];

test('a launch that is killed and run again launches every row exactly once', async (t) => {
  const work = await newWorkplace();
  const rows = namedRows(40);
  const { launch, journal, titles } = await prepareCsv(t, work, rows);
  const args = [...launch, ...map, ...settleFast];
  for (const enough of [5, 20]) {
    const child = spawnCommand(args, { env: work.env });
    const ending = finished(child);
    while (((await readFile(journal, 'utf8').catch(() => '')).match(/"launched"/g)?.length ?? 0) < enough)
      await pause(5);
    child.kill('SIGKILL');
    t.is((await ending).code, null);
  }
  const last = await work.data<Launched>(args);
  t.is(last.launched + last.alreadyLaunched, 40);
  t.true(last.alreadyLaunched >= 20);
  t.deepEqual(
    await titles(),
    rows.slice(1).map((name) => `Onboard ${name}`),
  );
});

test('a run whose response was lost is found, also if it was renamed; a row whose request was lost is launched', async (t) => {
  const work = await newWorkplace();
  const { launch, titles, journal } = await prepareCsv(t, work, namedRows(4));
  const proxy = await startProxy(t, app.baseUrl, ({ title }) => {
    if (title === 'Onboard Person 01') return 'drop response';
    return title === 'Onboard Person 02' ? 'drop request' : 'forward';
  });
  const args = [...launch, ...map, ...settleFast];
  const child = spawnCommand(args, { env: { ...work.env, RUNWARD_BASE_URL: proxy.baseUrl } });
  const ending = finished(child);
  await proxy.dropped;
  while ((await titles()).length < 3) await pause(10);
  await pause(100);
  child.kill('SIGKILL');
  await ending;
  t.is((await readFile(journal, 'utf8')).match(/"intent"/g)?.length, 4);

  const { body } = await work.org.api.call('runs', 'list', {});
  const found = body.data.find(({ title }) => title === 'Onboard Person 01');
  await must(work.org.api.call('runs', 'update', { params: { id: found?.id ?? '' }, body: { title: 'Renamed' } }));
  const dry = await work.runward([...args, '--dry-run', '-o', 'csv', '--fields', 'line,prospect']);
  t.is(dry.stdout, 'line,prospect\n2,already launched\n3,broke off\n4,broke off\n5,already launched\n');

  const again = await startProxy(t, app.baseUrl, () => 'forward');
  const result = await work.data<Launched>(args, { env: { RUNWARD_BASE_URL: again.baseUrl } });
  t.like(result, { launched: 1, alreadyLaunched: 3 });
  t.like(result.rows[1], { runId: found?.id, title: 'Renamed' });
  t.deepEqual(await titles(), ['Onboard Person 00', 'Onboard Person 02', 'Onboard Person 03', 'Renamed']);

  // The idempotency key is the same, so the server does not launch the row twice. Every row has its own key.
  const keyOf = (launches: typeof proxy.launches, title: string) =>
    launches.find((one) => one.title === title)?.idempotencyKey;
  t.regex(keyOf(proxy.launches, 'Onboard Person 02') ?? '', /^[0-9a-f]{32}$/);
  t.is(keyOf(proxy.launches, 'Onboard Person 02'), keyOf(again.launches, 'Onboard Person 02'));
  t.is(new Set(proxy.launches.map(({ idempotencyKey }) => idempotencyKey)).size, 4);
});

test('an interrupted row whose outcome is unknown is reported with the matching runs, and --resolve decides', async (t) => {
  const work = await newWorkplace();
  const { launch, titles, templateId } = await prepareCsv(t, work, namedRows(2));
  const proxy = await startProxy(t, app.baseUrl, (_, index) => (index === 0 ? 'drop response' : 'forward'));
  const args = [...launch, ...map, ...settleFast, '--concurrency', '1'];
  const child = spawnCommand(args, { env: { ...work.env, RUNWARD_BASE_URL: proxy.baseUrl } });
  const ending = finished(child);
  await proxy.dropped;
  child.kill('SIGKILL');
  await ending;
  await must(work.org.api.call('runs', 'launch', { body: { templateId, title: 'Onboard Person 00' } }));

  const unclear = await work.runward(args);
  t.is(unclear.code, 1);
  const result = JSON.parse(unclear.stdout) as Launched;
  t.like(result, { launched: 1, unclear: 1 });
  t.is(result.rows[0]?.messages?.filter((message) => /RUN-\w+ \S+ "Onboard Person 00"/.test(message)).length, 2);
  t.regex(unclear.stdout, /--resolve retry/);
  t.is((await titles()).length, 3);

  const blind = await work.runward(args, { env: { RUNWARD_API_KEY: await work.newKey(['runs:execute']) } });
  t.regex(blind.stdout, /the API key does not have the scope to read runs/);
  t.like(await work.data<Launched>([...args, '--resolve', 'skip']), { skipped: 1, alreadyLaunched: 1 });
  t.like(await work.data<Launched>([...args, '--resolve', 'retry']), { skipped: 1, alreadyLaunched: 1 });
  t.is((await titles()).length, 3);
});

test('Ctrl-C lets the launches under way finish; a second process cannot launch the same file', async (t) => {
  const work = await newWorkplace();
  const { launch, titles, journal } = await prepareCsv(t, work, namedRows(30));
  const args = [...launch, ...map, ...settleFast];
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
  t.is(result.launched + result.notTried, 30);
  t.is((await titles()).length, result.launched);
  t.like(await work.data<Launched>(args), { launched: result.notTried, alreadyLaunched: result.launched });
  t.is(new Set(await titles()).size, 30);
});

test('an error that does not concern a row stops the launch early; the next launch continues', async (t) => {
  const work = await newWorkplace();
  const { launch, titles } = await prepareCsv(t, work, namedRows(6));
  const args = [...launch, ...map, ...settleFast, '--concurrency', '1'];
  const env = { RUNWARD_API_KEY: await work.newKey(['templates:read', 'users:read']) };
  const revoked = await work.runward(args, { env });
  t.is(revoked.code, 4);
  t.like(JSON.parse(revoked.stdout), { launched: 0, failed: 1, notTried: 5 });
  t.like(JSON.parse(revoked.stderr), { missingScope: 'runs:execute', exitCode: 4 });
  const shown = await work.runward([...args, '-o', 'table'], { env });
  t.regex(shown.stderr, /^Stopped: 0 of 6 rows are launched\. Run the same command again to continue\.$/m);
  t.is((await work.data<Launched>(args)).launched, 6);
  t.is((await titles()).length, 6);
});

test('Ctrl-C ends the wait for the rate limit, and the same command launches the rows that are left', async (t) => {
  const work = await newWorkplace();
  const { launch, titles } = await prepareCsv(t, work, namedRows(3));
  const args = [...launch, ...map, '--concurrency', '1'];
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
