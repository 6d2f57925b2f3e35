import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@runward/sdk';
import { newDataFolder, type DataFolder } from '@runward/testing/data-folder';
import { startProgram } from '@runward/testing/program';
import { until } from '@runward/testing/until';
import test from 'ava';

let folder: DataFolder;
test.before(async () => {
  folder = await newDataFolder();
});
test.after.always(() => folder[Symbol.asyncDispose]());

const startDemo = (dataDir = folder.path) =>
  startProgram('examples/demo/main.ts', ['--rows', '6', '--data-dir', dataDir]);

/** The numbers in the table, by label. */
function numbersIn(output: string): Record<string, number> {
  const lines = output.matchAll(/^ {2,4}(\w[\w ]*?) +([\d.]+)(?: .*)?$/gm);
  return Object.fromEntries([...lines].map(([, label = '', amount]) => [label, Number(amount)]));
}

/**
 * 11 of the 14 tasks are required. All six runs are launched. Two are filled in (14 tasks and the completion each), one
 * is checked off (11 tasks, completed, reopened, completed), one is cancelled, one is cancelled and reopened, and one
 * is overdue. In the first three, one approval is requested and granted. Each filled-in run has the contract and a
 * signature as attachments.
 */
const expected = {
  'Runs launched': 6,
  completed: 3,
  running: 1,
  overdue: 1,
  cancelled: 1,
  'Tasks completed': 14 + 14 + 11,
  'Files attached': 2 + 2,
  'Events sent': 6 + 2 * 15 + 14 + 1 + 2 + 1 + 3 * 2,
  received: 60,
  verified: 60,
  duplicates: 0,
  rejected: 0,
  lost: 0,
};

test.serial('the demo loses no event, and a second demo counts only its own events', async (t) => {
  const first = startDemo();
  t.is(await first.ended, 0, first.output());
  t.like(numbersIn(first.output()), expected);
  t.notRegex(first.output(), /earlier demos/);
  t.regex(first.output(), /^Published a portal for everyone at http:\S+\/p\/employee-onboarding;/m);

  const second = startDemo();
  t.is(await second.ended, 0, second.output());
  t.like(numbersIn(second.output()), expected);
  t.regex(second.output(), /^6 runs of earlier demos exist/m);
});

test.serial('the demo fails if events do not arrive', async (t) => {
  const demo = startDemo();
  const baseUrl = await demo.printed(/(?<=ready at )http:\S+/);
  const { apiKey } = JSON.parse(await readFile(join(folder.path, 'credentials.json'), 'utf8')) as { apiKey: string };
  const { webhooks } = createClient({ baseUrl, apiKey });
  const url = await demo.printed(/(?<=listens for webhooks at )http:\S+/);
  const findWebhook = async () => (await webhooks.list()).data.find((one) => one.url === url);
  const { id } = await until(findWebhook, 'the webhook of the demo');
  await webhooks.update(id, { enabledEvents: ['run.started'] });

  t.is(await demo.ended, 1, demo.output());
  const { lost = 0, verified = 0 } = numbersIn(demo.output());
  t.true(lost > 0);
  t.is(lost + verified, 60);
  t.true(demo.output().includes(`FAILED: ${lost} events never reached the receiver`), demo.output());
});

test.serial('Ctrl-C stops everything the demo started', async (t) => {
  const demo = startDemo();
  const baseUrl = await demo.printed(/(?<=ready at )http:\S+/);
  await demo.printed(/listens for webhooks/);
  demo.process.kill('SIGINT');
  t.is(await demo.ended, 130, demo.output());
  t.regex(demo.output(), /^Interrupted before the end\.$/m);
  await t.throwsAsync(fetch(`${baseUrl}/health/live`));
});

test.serial('the demo shows the log of a service that does not start', async (t) => {
  await using empty = await newDataFolder();
  await writeFile(join(empty.path, 'postgres-location'), '/nowhere\n');
  const demo = startDemo(empty.path);
  t.is(await demo.ended, 1);
  t.regex(
    demo.output(),
    /FAILED: The service did not start\. It ended \(1\) before .* The end of its log, .*service\.log:/,
  );
  t.regex(demo.output(), /were kept in \/nowhere, which does not exist/);
});

test('the demo rejects invalid arguments', async (t) => {
  const demo = startProgram('examples/demo/main.ts', ['--rows', '5']);
  t.is(await demo.ended, 1);
  t.regex(demo.output(), /FAILED: --rows must be a whole number of at least 6/);
});
