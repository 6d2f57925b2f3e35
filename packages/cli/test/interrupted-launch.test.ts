import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { must } from '@runward/testing/process';
import { finished, startCommand } from './support/command.ts';
import { namedRows, prepareCsv, type Launched } from './support/csv.ts';
import { startProxy } from './support/proxy.ts';
import { useServer } from './support/service.ts';

const { app, newWorkplace } = useServer(test);
const map = ['--map', 'title=Onboard {name}'];
const quickly = ['--settle', '0.2'];

test('killed at any moment and run again, every row is launched exactly once', async (t) => {
  const work = await newWorkplace();
  const rows = namedRows(40);
  const { launch, journal, titles } = await prepareCsv(t, work, rows);
  const args = [...launch, ...map, ...quickly];
  for (const enough of [5, 20]) {
    const child = startCommand(args, { env: work.env });
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

test('a launch whose answer was lost is found, renamed or not; one that never arrived is launched', async (t) => {
  const work = await newWorkplace();
  const { launch, titles, journal } = await prepareCsv(t, work, namedRows(4));
  const proxy = await startProxy(t, app.baseUrl, ({ title }) => {
    if (title === 'Onboard Person 01') return 'lose answer';
    return title === 'Onboard Person 02' ? 'lose request' : 'pass';
  });
  const args = [...launch, ...map, ...quickly];
  const child = startCommand(args, { env: { ...work.env, RUNWARD_BASE_URL: proxy.baseUrl } });
  const ending = finished(child);
  await proxy.lost;
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

  const again = await startProxy(t, app.baseUrl, () => 'pass');
  const told = await work.data<Launched>(args, { env: { RUNWARD_BASE_URL: again.baseUrl } });
  t.like(told, { launched: 1, alreadyLaunched: 3 });
  t.like(told.rows[1], { runId: found?.id, title: 'Renamed' });
  t.deepEqual(await titles(), ['Onboard Person 00', 'Onboard Person 02', 'Onboard Person 03', 'Renamed']);

  // The same key again, so that a server which knows it cannot launch twice either; another one for every row.
  const keyOf = (launches: typeof proxy.launches, title: string) =>
    launches.find((one) => one.title === title)?.idempotencyKey;
  t.regex(keyOf(proxy.launches, 'Onboard Person 02') ?? '', /^[0-9a-f]{32}$/);
  t.is(keyOf(proxy.launches, 'Onboard Person 02'), keyOf(again.launches, 'Onboard Person 02'));
  t.is(new Set(proxy.launches.map(({ idempotencyKey }) => idempotencyKey)).size, 4);
});

test('where it cannot be told, the row is refused with the runs that may be it, and --resolve decides', async (t) => {
  const work = await newWorkplace();
  const { launch, titles, templateId } = await prepareCsv(t, work, namedRows(2));
  const proxy = await startProxy(t, app.baseUrl, (_, index) => (index === 0 ? 'lose answer' : 'pass'));
  const args = [...launch, ...map, ...quickly, '--concurrency', '1'];
  const child = startCommand(args, { env: { ...work.env, RUNWARD_BASE_URL: proxy.baseUrl } });
  const ending = finished(child);
  await proxy.lost;
  child.kill('SIGKILL');
  await ending;
  await must(work.org.api.call('runs', 'launch', { body: { templateId, title: 'Onboard Person 00' } }));

  const unsure = await work.runward(args);
  t.is(unsure.code, 1);
  const told = JSON.parse(unsure.stdout) as Launched;
  t.like(told, { launched: 1, unclear: 1 });
  t.is(told.rows[0]?.messages?.filter((message) => /RUN-\w+ \S+ "Onboard Person 00"/.test(message)).length, 2);
  t.regex(unsure.stdout, /--resolve retry/);
  t.is((await titles()).length, 3);

  const blind = await work.runward(args, { env: { RUNWARD_API_KEY: await work.newKey(['runs:execute']) } });
  t.regex(blind.stdout, /the key may not read runs/);
  t.like(await work.data<Launched>([...args, '--resolve', 'skip']), { skipped: 1, alreadyLaunched: 1 });
  t.like(await work.data<Launched>([...args, '--resolve', 'retry']), { skipped: 1, alreadyLaunched: 1 });
  t.is((await titles()).length, 3);
});

test('Ctrl-C lets launches under way finish, and a second process keeps its hands off', async (t) => {
  const work = await newWorkplace();
  const { launch, titles, journal } = await prepareCsv(t, work, namedRows(30));
  const args = [...launch, ...map, ...quickly];
  const child = startCommand(args, { env: work.env });
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
  const told = JSON.parse(stdout) as Launched;
  t.is(told.launched + told.notTried, 30);
  t.is((await titles()).length, told.launched);
  t.like(await work.data<Launched>(args), { launched: told.notTried, alreadyLaunched: told.launched });
  t.is(new Set(await titles()).size, 30);
});

test('an error that is not about a row ends the launch early; the rest is launched the next time', async (t) => {
  const work = await newWorkplace();
  const { launch, titles } = await prepareCsv(t, work, namedRows(6));
  const args = [...launch, ...map, ...quickly, '--concurrency', '1'];
  const revoked = await work.runward(args, {
    env: { RUNWARD_API_KEY: await work.newKey(['templates:read', 'users:read']) },
  });
  t.is(revoked.code, 4);
  t.like(JSON.parse(revoked.stdout), { launched: 0, failed: 1, notTried: 5 });
  t.like(JSON.parse(revoked.stderr), { missingScope: 'runs:execute', exitCode: 4 });
  t.is((await work.data<Launched>(args)).launched, 6);
  t.is((await titles()).length, 6);
});
