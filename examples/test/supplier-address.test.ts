import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { processIo, run } from '@runward/cli';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { repository, startProgram } from '@runward/testing/program';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

/** For each line of the README about this example: its arguments to `runward`, and those of the program after them. */
function lines() {
  const readme = readFileSync(join(repository, 'examples', 'README.md'), 'utf8');
  const [, block = ''] = /^```sh supplier-address\n([^]*?)^```$/m.exec(readme) ?? [];
  const words = (line: string) => [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''));
  const all = block.trim().split('\n').map(words);
  const after = (marker: string) =>
    all.flatMap((line) => (line.includes(marker) ? [line.slice(line.indexOf(marker) + 1)] : []));
  return { commands: after('--'), program: after('--conditions=@runward/source')[0] ?? [] };
}

test('examples/supplier-address fills in the address of the supplier and completes the form', async (t) => {
  const org = await newOrganization(app);
  const env = { RUNWARD_BASE_URL: app.baseUrl, RUNWARD_API_KEY: org.apiKey, RUNWARD_CONFIG: '/nonexistent' };
  const { commands, program } = lines();
  t.is(commands.length, 3);
  for (const args of commands) {
    const output = new PassThrough().resume();
    const io = { ...processIo(new AbortController().signal), cwd: repository, env, stdout: output, stderr: output };
    t.is(await run(args, io), 0, args.join(' '));
  }
  const [main = '', ...args] = program;
  const started = startProgram(main, args, { env });
  t.is(await started.ended, 0, started.output());
  t.is(
    started.output(),
    'Order from Acme GmbH\n  Street: Hauptstraße 1\n  City: 10115 Berlin\n  Credit limit: 25000\n',
  );
  const { data } = await must(org.api.call('runs', 'list'));
  const { tasks } = await must(org.api.call('runs', 'get', { params: { id: data[0]?.id ?? '' } }));
  t.deepEqual(
    tasks.map(({ title, status }) => [title, status]),
    [
      ['Place the order', 'COMPLETED'],
      ['Check the delivery', 'PENDING'],
    ],
  );

  const unknown = startProgram(main, ['nobody'], { env });
  t.is(await unknown.ended, 1);
  t.regex(unknown.output(), /No supplier is called "nobody"/);
});
