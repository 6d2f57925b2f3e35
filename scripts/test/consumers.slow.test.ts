import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { newOrganization } from '@runward/testing/organization';
import { repository, startCommand } from '@runward/testing/program';
import { useSharedApp } from '@runward/testing/use-shared-app';
import { freePort } from '@runward/testing/ports';
import test from 'ava';
import { blocksOf } from './guides/blocks.ts';
import { callReceivers, given, namesModule, programOf, receiverModules } from './guides/programs.ts';

/** What programs outside of this repository see of the published packages. */
const published = ['sdk', 'webhooks'];

const frameworks = ['express', 'fastify', 'hono', 'koa'];

/** The pages whose blocks make up a program, by its name. */
const guides = {
  'sdk-guide': 'docs/guides/sdk.md',
  'sdk-readme': 'packages/sdk/README.md',
  'files-guide': 'docs/guides/files.md',
  'exports-guide': 'docs/guides/exports.md',
};

const app = useSharedApp(test);
/** For the servers of the README of the receiver. */
const ports: number[] = [];
const folder = mkdtempSync(join(tmpdir(), 'runward-consumers-'));
const built = join(folder, 'build');
const project = join(folder, 'project');
const typescript = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
const typescript5 = join(repository, 'packages', 'webhooks', 'node_modules', 'typescript', 'bin', 'tsc');

/** Links a package that npm has installed. */
function link(modules: string, name: string): void {
  const target = join(modules, name);
  mkdirSync(dirname(target), { recursive: true });
  if (!existsSync(target)) symlinkSync(join(repository, 'node_modules', name), target);
}

/** Builds the packages from a copy of their sources, because the repository may have no `dist` or an old one. */
async function build(): Promise<void> {
  const names = ['contract', ...published];
  mkdirSync(join(built, 'node_modules', '@runward'), { recursive: true });
  cpSync(join(repository, 'tsconfig.base.json'), join(built, 'tsconfig.base.json'));
  for (const name of names) {
    const source = join(repository, 'packages', name);
    cpSync(source, join(built, 'packages', name), { recursive: true, filter: (path) => !isLeftOut(path) });
    symlinkSync(join(built, 'packages', name), join(built, 'node_modules', '@runward', name));
    for (const dependency of dependenciesOf(name)) link(join(built, 'node_modules'), dependency);
  }
  link(join(built, 'node_modules'), '@types/node');
  const folders = published.map((name) => join(built, 'packages', name));
  const run = startCommand(process.execPath, [typescript, '-b', ...folders]);
  if ((await run.ended) !== 0) throw new Error(run.output());
}

function isLeftOut(path: string): boolean {
  return /[/\\](?:node_modules|dist|test|[^/\\]*\.tsbuildinfo)$/.test(path.slice(repository.length));
}

function dependenciesOf(name: string): string[] {
  const path = join(repository, 'packages', name, 'package.json');
  const { dependencies = {} } = JSON.parse(readFileSync(path, 'utf8')) as { dependencies?: Record<string, string> };
  return Object.keys(dependencies).filter((each) => !each.startsWith('@runward/'));
}

/** Installs a package as npm would: what it publishes, and the dependencies that it names. */
function install(name: string): void {
  const source = join(built, 'packages', name);
  const target = join(project, 'node_modules', '@runward', name);
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
    readonly files: readonly string[];
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  for (const file of ['package.json', ...manifest.files]) {
    cpSync(join(source, file), join(target, file), { recursive: true });
  }
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    if (dependency.startsWith('@runward/')) install(dependency.replace('@runward/', ''));
    else link(join(project, 'node_modules'), dependency);
  }
}

test.before(async () => {
  await build();
  for (let count = 0; count < frameworks.length; count += 1) ports.push(await freePort());
  for (const name of published) install(name);
  for (const name of [...frameworks, '@types/express', '@types/koa']) link(join(project, 'node_modules'), name);
  link(join(project, 'node_modules'), '@types/node');
  for (const type of ['module', 'commonjs']) {
    mkdirSync(join(project, type));
    writeFileSync(join(project, type, 'package.json'), JSON.stringify({ type }));
    writeFileSync(join(project, type, 'program.ts'), program);
  }
  writeFileSync(join(project, 'module', 'examples.ts'), examples());
  writeFileSync(join(project, 'module', 'names.ts'), namesModule);
  for (const [name, page] of Object.entries(guides)) {
    const code = programOf(page, given, (text) => text.replaceAll(/'0195f3a0-[^']+'/g, 'templateId'));
    writeFileSync(join(project, 'module', `${name}.ts`), code);
  }
  for (const name of ['downloads', 'copies']) mkdirSync(join(project, 'module', name));
  cpSync(join(repository, 'examples', 'demo', 'signature.png'), join(project, 'module', 'background.png'));
  writeFileSync(join(project, 'module', 'contract.pdf'), '%PDF-1.4\n');
  for (const [name, code] of receiverModules(ports)) writeFileSync(join(project, 'module', name), code);
  for (const [name, code] of Object.entries(readme())) writeFileSync(join(project, 'module', name), code);
});

test.after.always(() => rmSync(folder, { recursive: true }));

/** The programs of README.md, by file. */
function readme(): Readonly<Record<string, string>> {
  const [api = '', sdk = ''] = blocksOf('README.md').flatMap(({ language, text }) => (language === 'ts' ? [text] : []));
  return { 'readme-api.ts': api, 'readme-sdk.ts': sdk };
}

/** A program whose comments expect errors, which proves that no type is `any`. */
const program = `
import { createClient, isNotFound, NotFoundError, type Client, type EventOf, type RunTask } from '@runward/sdk';
import { createReceiver, type Receiver } from '@runward/webhooks';

export async function titleOf(runward: Client, runId: string): Promise<string | NotFoundError> {
  try {
    const run = await runward.runs.get(runId);
    // @ts-expect-error -- it is a string
    const title: number = run.title;
    return String(title);
  } catch (error) {
    if (isNotFound(error)) return error;
    throw error;
  }
}

export const firstTask = async (runward: Client, runId: string): Promise<RunTask | undefined> =>
  (await runward.runs.get(runId)).tasks[0];
export const runOf = (event: EventOf<'run.completed'>): string => event.data.runId;

export const receiver: Receiver = createReceiver({ secret: 'secret' }).on('run.completed', async ({ data }) => {
  // @ts-expect-error -- a query takes numbers
  createClient().runs.list({ limit: '5' });
  // @ts-expect-error -- it is a string
  const runId: number = data.runId;
  await titleOf(createClient(), String(runId));
});
`;

/** A program of the examples in the comments of the methods. */
function examples(): string {
  const texts = globSync(join(repository, 'packages', 'sdk', 'src', 'generated', '*.ts')).map((path) =>
    readFileSync(path, 'utf8'),
  );
  const codes = texts.flatMap((text) =>
    [...text.matchAll(/^ {3}\* @example\n([^]*?)^ {3}\*\/$/gm)].map(([, code = '']) =>
      code.replaceAll(/^ {3}\* ?/gm, ''),
    ),
  );
  const ids = new Set(codes.join('\n').match(/\b\w+Id\b(?=[,)]| \})/g));
  return `import { createClient } from '@runward/sdk';
const runward = createClient();
declare const ${[...ids, 'token', 'slug'].map((name) => `${name}: string`).join(', ')};
${codes.map((code) => `{\n${code}}`).join('\n')}
export {};
`;
}

/** The ways in which TypeScript finds packages, by the kind of the package that imports them. */
const resolutions = [
  ['module', typescript, '--module nodenext'],
  ['module', typescript, '--module esnext --moduleResolution bundler'],
  ['commonjs', typescript, '--module nodenext'],
  ['commonjs', typescript, '--module node16'],
  ['commonjs', typescript5, '--module commonjs --moduleResolution node10'],
] as const;

for (const [type, compiler, options] of resolutions) {
  const major = compiler === typescript ? 7 : 5;
  test(`a ${type} package type-checks with TypeScript ${major} and ${options}`, async (t) => {
    const given = `--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --target es2022 --types node ${options} program.ts`;
    const run = startCommand(process.execPath, [compiler, ...given.split(' ')], { cwd: join(project, type) });
    t.is(await run.ended, 0, run.output());
  });
}

test('the declarations are right on their own, without skipLibCheck', async (t) => {
  // Those of the libraries of Node and TypeScript take longer to check than ours.
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

/** What a program prints that lists templates, misses a run and receives a signed event. */
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

for (const [name, command, args] of runtimes) {
  test(`the packages work in ${name}`, async (t) => {
    if (command !== process.execPath && !isInstalled(command)) {
      t.log(`${name} is not on the PATH: skipped.`);
      t.pass();
      return;
    }
    const { apiKey } = await newOrganization(app);
    const file = join(project, 'module', `${name}.mjs`);
    writeFileSync(file, calls);
    const env = { HOME: folder, RUNWARD_API_KEY: apiKey, RUNWARD_BASE_URL: app.baseUrl };
    const run = startCommand(command, [...args, file], { cwd: join(project, 'module'), env });
    t.is(await run.ended, 0, run.output());
    t.is(run.stdout(), 'Onboarding\ntrue\n3\n200\n200\n401\n');
  });
}

/** Starts a program of the project with the key of an organization. */
function startInProject(file: string, apiKey: string) {
  const env = {
    HOME: folder,
    RUNWARD_API_KEY: apiKey,
    RUNWARD_BASE_URL: app.baseUrl,
    RUNWARD_SIGNING_SECRET: 'test-secret',
  };
  return startCommand(process.execPath, [file], { cwd: join(project, 'module'), env });
}

for (const [name, page] of Object.entries(guides)) {
  test(`the programs of ${page} run with the published packages`, async (t) => {
    const { apiKey } = await newOrganization(app);
    const run = startInProject(`${name}.ts`, apiKey);
    t.is(await run.ended, 0, run.output());
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
