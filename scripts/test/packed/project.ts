import { cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from '@runward/testing/program';
import { blocksOf } from '../guides/blocks.ts';
import { given, namesModule, programOf, receiverModules } from '../guides/programs.ts';

const frameworks = ['express', 'fastify', 'hono', 'koa'];

/** The pages whose blocks make up a program, by the program's name. */
export const guides = {
  'sdk-guide': 'docs/guides/sdk.md',
  'errors-guide': 'docs/guides/errors.md',
  'side-by-side-guide': 'docs/guides/side-by-side.md',
  'sdk-readme': 'packages/sdk/README.md',
  'files-guide': 'docs/guides/files.md',
  'exports-guide': 'docs/guides/exports.md',
};

/** Links a package of others, as if the project had installed it. */
function link(modules: string, name: string): void {
  const target = join(modules, name);
  mkdirSync(dirname(target), { recursive: true });
  if (!existsSync(target)) symlinkSync(join(repository, 'node_modules', name), target);
}

/** Fills a project with programs in `module` and `commonjs`. The servers of the receiver's README get the ports. */
export function writePrograms(project: string, ports: readonly number[]): void {
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
  cpSync(join(repository, 'examples', 'demo', 'signature.png'), join(project, 'module', 'background.png'));
  writeFileSync(join(project, 'module', 'contract.pdf'), '%PDF-1.4\n');
  for (const [name, code] of receiverModules(ports)) writeFileSync(join(project, 'module', name), code);
  for (const [name, code] of Object.entries(readme())) writeFileSync(join(project, 'module', name), code);
}

/** The programs of README.md, by file. */
function readme(): Readonly<Record<string, string>> {
  const [api = '', sdk = '', receiver = ''] = blocksOf('README.md').flatMap(({ language, text }) =>
    language === 'ts' ? [text] : [],
  );
  return { 'readme-api.ts': api, 'readme-sdk.ts': sdk, 'readme-receiver.ts': receiver };
}

/** A program with comments that expect errors, which proves that no type is `any`. */
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
