import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { newOrganization } from '@runward/testing/organization';
import { freePort } from '@runward/testing/ports';
import { repository, startCommand } from '@runward/testing/program';
import { until } from '@runward/testing/until';
import type { SharedApp } from '@runward/testing/use-shared-app';
import { sign } from '@runward/webhooks';
import type { SerialFn } from 'ava';
import { callReceivers, receiverModules, tutorial } from '../guides/programs.ts';
import { guides, writePrograms } from './project.ts';

/** What programs outside of this repository import. */
const published = ['sdk', 'webhooks'];

/** The servers in the README of the receiver. */
const servers = 4;

const cli = join(repository, 'packages', 'cli', 'src', 'main.ts');
const typescript = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
const typescript5 = join(repository, 'packages', 'webhooks', 'node_modules', 'typescript', 'bin', 'tsc');

/** The ways in which TypeScript finds packages, by the kind of the importing package. */
const resolutions = [
  ['module', typescript, '--module nodenext'],
  ['module', typescript, '--module esnext --moduleResolution bundler'],
  ['commonjs', typescript, '--module nodenext'],
  ['commonjs', typescript, '--module node16'],
  ['commonjs', typescript5, '--module commonjs --moduleResolution node10'],
] as const;

/** The output of a program that lists templates, misses a run and receives a signed event. */
const calls = `
import { createClient, isNotFound, isPermissionError } from '@runward/sdk';
import { createReceiver, sign, toFetchHandler } from '@runward/webhooks';

const runward = createClient();
await runward.templates.create({ name: 'Onboarding' });
for await (const { name } of runward.templates.list()) console.log(name);
console.log(isNotFound(await runward.runs.get('0195f3a0-0000-7000-8000-000000000001').catch((error) => error)));

const receiver = createReceiver({ secret: 'secret' }).on('run.completed', ({ data }) => console.log(data.runId));
const handle = toFetchHandler(receiver);
const body = JSON.stringify({
  deliveryId: '1', event: 'run.completed', orgId: '2', timestamp: new Date().toISOString(),
  data: { runId: '3', templateId: '4', sequence: 1 },
});
const post = (headers) => handle(new Request('https://example.com/hook', { method: 'POST', headers, body }));
const headers = await sign(body, { secret: 'secret' });
for (const given of [headers, headers, {}]) console.log((await post(given)).status);
`;

/** The runtimes besides Node, and how they start a program. */
const runtimes = [
  ['Bun', 'bun', []],
  ['Deno', 'deno', ['run', '--allow-net', '--allow-env', '--node-modules-dir=manual']],
  ['Node', process.execPath, []],
] as const;

function isInstalled(command: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((each) => existsSync(join(each, command)));
}

const secret = 'test-secret';

/** Tests programs with the SDK and the receiver installed in a project, against a running service. */
export function testConsumers(test: SerialFn, app: SharedApp, project: string): void {
  const ports: number[] = [];
  test.before(async () => {
    for (let count = 0; count < servers; count += 1) ports.push(await freePort());
    writePrograms(project, ports);
  });

  for (const [type, compiler, options] of resolutions) {
    const major = compiler === typescript ? 7 : 5;
    test(`a ${type} package type-checks with TypeScript ${major} and ${options}`, async (t) => {
      const given = `--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --target es2022 --types node ${options} program.ts`;
      const run = startCommand(process.execPath, [compiler, ...given.split(' ')], { cwd: join(project, type) });
      t.is(await run.ended, 0, run.output());
    });
  }

  test('the declarations are right on their own, without skipLibCheck', async (t) => {
    // Type definitions of Node and TypeScript take longer to check than ours.
    const given = '--noEmit --strict --skipDefaultLibCheck --target es2022 --module node16 --types node program.ts';
    const run = startCommand(process.execPath, [typescript, ...given.split(' ')], { cwd: join(project, 'commonjs') });
    t.is(await run.ended, 0, run.output());
  });

  test('the examples in the comments of the methods, and those of the guides, compile', async (t) => {
    const files = ['examples.ts', ...Object.keys(guides).map((name) => `${name}.ts`), ...receiverModules(ports).keys()];
    const options =
      '--noEmit --strict --skipLibCheck --target es2023 --module nodenext --types node --allowImportingTsExtensions';
    const given = `${options} ${files.join(' ')}`;
    const run = startCommand(process.execPath, [typescript, ...given.split(' ')], { cwd: join(project, 'module') });
    t.is(await run.ended, 0, run.output());
  });

  test('a CommonJS program requires the same modules that ES modules import', async (t) => {
    const names = JSON.stringify(published.map((name) => `@runward/${name}`));
    const code = `
      (async () => {
        for (const name of ${names}) console.log(Object.keys(require(name)).length > 5, require(name) === (await import(name)));
      })();`;
    const run = startCommand(process.execPath, ['--eval', code], { cwd: join(project, 'commonjs') });
    t.is(await run.ended, 0, run.output());
    t.is(run.stdout(), 'true true\n'.repeat(published.length));
  });

  for (const [name, command, args] of runtimes) {
    const ifInstalled = command === process.execPath || isInstalled(command) ? test : test.skip;
    ifInstalled(`the packages work in ${name}`, async (t) => {
      const { apiKey } = await newOrganization(app);
      const file = join(project, 'module', `${name}.mjs`);
      writeFileSync(file, calls);
      const env = { HOME: project, RUNWARD_API_KEY: apiKey, RUNWARD_BASE_URL: app.baseUrl };
      const run = startCommand(command, [...args, file], { cwd: join(project, 'module'), env });
      t.is(await run.ended, 0, run.output());
      t.is(run.stdout(), 'Onboarding\ntrue\n3\n200\n200\n401\n');
    });
  }

  /** Starts a program of the project with the key of an organization. */
  function startInProject(
    file: string,
    apiKey: string,
    own: { readonly PORT?: string; readonly TEMPLATE_ID?: string } = {},
  ) {
    const env = {
      ...own,
      HOME: project,
      RUNWARD_API_KEY: apiKey,
      RUNWARD_BASE_URL: app.baseUrl,
      RUNWARD_SIGNING_SECRET: secret,
    };
    return startCommand(process.execPath, [file], { cwd: join(project, 'module'), env });
  }

  /** Publishes the template of the quick start and returns its id. */
  async function publishExample(apiKey: string): Promise<string> {
    const file = join(repository, 'examples', 'templates', 'employee-onboarding.json');
    const args = [cli, 'templates', 'apply', file, '--publish', '--yes', '-o', 'json'];
    const env = { HOME: project, RUNWARD_API_KEY: apiKey, RUNWARD_BASE_URL: app.baseUrl };
    const run = startCommand(process.execPath, ['--conditions=@runward/source', ...args], { cwd: repository, env });
    if ((await run.ended) !== 0) throw new Error(run.output());
    return (JSON.parse(run.stdout()) as { templateId: string }).templateId;
  }

  for (const [name, page] of Object.entries(guides)) {
    test(`the programs of ${page} run with the published packages`, async (t) => {
      const { apiKey } = await newOrganization(app);
      // Several pages save a file with the same name.
      for (const each of ['downloads', 'copies']) {
        rmSync(join(project, 'module', each), { recursive: true, force: true });
        mkdirSync(join(project, 'module', each));
      }
      const TEMPLATE_ID = page === tutorial ? await publishExample(apiKey) : '';
      const run = startInProject(`${name}.ts`, apiKey, { TEMPLATE_ID });
      t.is(await run.ended, 0, run.output());
      // A program that catches an error prints it.
      if (page === tutorial) t.is(run.stderr(), '');
    });
  }

  test('the programs of README.md run with the published packages, also without templates and runs', async (t) => {
    const { apiKey } = await newOrganization(app);
    const [api, sdk] = ['readme-api.ts', 'readme-sdk.ts'].map((file) => startInProject(file, apiKey));
    t.is(await api?.ended, 0, api?.output());
    t.is(api?.output(), '0 runs are under way; the newest is "none"\n');
    t.is(await sdk?.ended, 0, sdk?.output());
    t.is(sdk?.output(), '');
  });

  test('the receivers in the README of @runward/webhooks accept signed deliveries', async (t) => {
    const { apiKey } = await newOrganization(app);
    const main = callReceivers([...receiverModules(ports).keys()], ports);
    writeFileSync(join(project, 'module', 'receivers.ts'), main);
    const run = startInProject('receivers.ts', apiKey);
    t.is(await run.ended, 0, run.output());
    const [last = ''] = run.stdout().trim().split('\n').slice(-1);
    t.deepEqual(JSON.parse(last), { POST: 200, hono: 200, lambda: 200, receive: 204, servers: [200, 200, 200, 200] });
  });

  test('the receiver in README.md prints what completed', async (t) => {
    const { apiKey } = await newOrganization(app);
    const port = await freePort();
    const program = startInProject('readme-receiver.ts', apiKey, { PORT: String(port) });
    t.teardown(() => program.end('SIGKILL'));
    const data = { runId: 'r-1', templateId: 't-1', sequence: 1 };
    const event = {
      event: 'run.completed',
      deliveryId: 'd-1',
      timestamp: new Date().toISOString(),
      orgId: 'o-1',
      data,
    };
    const body = JSON.stringify(event);
    const headers = { ...(await sign(body, { secret })) };
    const post = () => fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers }).catch(() => null);
    t.is((await until(post, 'the receiver')).status, 200, program.output());
    await program.printed(/run r-1 is complete/);
  });
}
