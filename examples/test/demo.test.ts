import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@runward/sdk';
import test from 'ava';
import { removeEmbeddedPostgres } from '@runward/server/internal/database/embedded/files';
import { printed, startExample } from './programs.ts';

let dataDir = '';
test.before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'runward-demo-'));
  // PostgreSQL runs as another user when this is root, and has to pass through.
  await chmod(dataDir, 0o711);
});
test.after.always(() => removeEmbeddedPostgres(dataDir));

const startDemo = (folder = dataDir) => startExample('demo/main.ts', ['--rows', '6', '--data-dir', folder]);

/** The numbers of the table, by their label. */
function numbersIn(output: string): Record<string, number> {
  const lines = output.matchAll(/^ {2,4}(\w[\w ]*?) +([\d.]+)(?: .*)?$/gm);
  return Object.fromEntries([...lines].map(([, label = '', amount]) => [label, Number(amount)]));
}

/**
 * Of 14 tasks, 11 are required. Two runs are filled in (14 tasks and their completion each), one is ticked off (11, completed,
 * reopened, completed), one cancelled, one cancelled and reopened, one late; six are started.
 */
const expected = {
  'Runs launched': 6,
  completed: 3,
  running: 1,
  overdue: 1,
  cancelled: 1,
  'Tasks done': 14 + 14 + 11,
  'Events sent': 6 + 2 * 15 + 14 + 1 + 2 + 1,
  received: 54,
  verified: 54,
  duplicates: 0,
  refused: 0,
  lost: 0,
};

test.serial('the demo loses nothing, and a second one counts only its own events', async (t) => {
  const first = startDemo();
  t.is(await first.ended, 0, first.output());
  t.like(numbersIn(first.output()), expected);
  t.notRegex(first.output(), /earlier demos/);

  const second = startDemo();
  t.is(await second.ended, 0, second.output());
  t.like(numbersIn(second.output()), expected);
  t.regex(second.output(), /^6 runs of earlier demos are there/m);
});

test.serial('the demo fails when events do not arrive', async (t) => {
  const demo = startDemo();
  const baseUrl = await printed(demo, /(?<=ready at )http:\S+/);
  const { apiKey } = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as { apiKey: string };
  const { webhooks } = createClient({ baseUrl, apiKey });
  const url = await printed(demo, /(?<=waits for webhooks at )http:\S+/);
  for (let isMuted = false; !isMuted; await pause(20)) {
    const webhook = (await webhooks.list()).data.find((one) => one.url === url);
    if (webhook) await webhooks.update(webhook.id, { enabledEvents: ['run.started'] });
    isMuted = webhook !== undefined;
  }

  t.is(await demo.ended, 1, demo.output());
  const { lost = 0, verified = 0 } = numbersIn(demo.output());
  t.true(lost > 0);
  t.is(lost + verified, 54);
  t.true(demo.output().includes(`FAILED: ${lost} events never reached the receiver`), demo.output());
});

test.serial('Ctrl-C stops everything the demo started', async (t) => {
  const demo = startDemo();
  const baseUrl = await printed(demo, /(?<=ready at )http:\S+/);
  await printed(demo, /waits for webhooks/);
  demo.process.kill('SIGINT');
  t.is(await demo.ended, 130, demo.output());
  t.regex(demo.output(), /^Stopped before the end\.$/m);
  await t.throwsAsync(fetch(`${baseUrl}/health/live`));
});

test.serial('the demo shows the log of a service that does not come up', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'runward-demo-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'postgres-location'), '/nowhere\n');
  const demo = startDemo(folder);
  t.is(await demo.ended, 1);
  t.regex(demo.output(), /FAILED: The service ended \(1\) before it was ready\. The end of its log, .*service\.log:/);
  t.regex(demo.output(), /were kept in \/nowhere, which does not exist/);
});

test('the demo refuses wrong arguments', async (t) => {
  const demo = startExample('demo/main.ts', ['--rows', '5']);
  t.is(await demo.ended, 1);
  t.regex(demo.output(), /FAILED: --rows must be a whole number of at least 6/);
});
