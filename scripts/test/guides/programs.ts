import { blocksOf } from './blocks.ts';

/**
 * Names that a block of a reference gets anew, also if an earlier block has them: the earlier one may have ended the
 * run or the entry.
 */
const alwaysNew = new Set(['runId', 'runTaskId', 'task', 'entry', 'run']);

/** The page that readers follow from its top to its end, with the template of the quick start. */
export const tutorial = 'docs/guides/sdk.md';

/**
 * A program made of the blocks of a page. Each block is in the scope of the earlier ones, like for a reader who adds
 * one to another. Names that no block declares come from `names()` of `./names.ts`. The imports are at the top.
 */
export function programOf(
  page: string,
  names: readonly string[],
  changes: (code: string) => string = (code) => code,
): string {
  const imports = new Map<string, Set<string>>();
  const opening: string[] = [];
  const known = new Set<string>();
  for (const { language, text } of blocksOf(page)) {
    if (language !== 'ts') continue;
    const code = changes(text).replaceAll(
      /^import (type )?\{ ([^}]+) \} from '([^']+)';\n/gm,
      (_, type, list: string, from: string) => {
        const all = imports.get(from) ?? new Set();
        imports.set(from, all);
        for (const name of list.split(', ')) all.add(`${type ?? ''}${name}`);
        return '';
      },
    );
    const declared = declaredIn(code);
    const missing = names.filter(
      (name) =>
        new RegExp(`(?<![.\\w'])${name}\\b(?!:)`).test(code) &&
        !declared.includes(name) &&
        ((alwaysNew.has(name) && page !== tutorial) || !known.has(name)),
    );
    const needed = [missing.includes('entry'), /files\.upload/.test(code)].join(', ');
    opening.push(`{ const { ${missing.join(', ')} } = await names(${needed});\n{\n${code}`);
    for (const name of declared) known.add(name);
  }
  imports.set('./names.ts', new Set(['names']));
  const head = [...imports].map(([from, list]) => `import { ${[...list].join(', ')} } from '${from}';`);
  return `${head.join('\n')}\n${opening.join('')}${'}}'.repeat(opening.length)}\nexport {};\n`;
}

/** The names that code declares at its top. */
function declaredIn(code: string): string[] {
  return [...code.matchAll(/^const (\w+|\{[^}]+\}|\[[^\]]+\]) =/gm)].flatMap(
    ([, names = '']) => names.match(/\w+/g) ?? [],
  );
}

/**
 * The exports of the module `./names.ts`: it uses the SDK to make what the blocks of the SDK guides take for granted.
 */
export const namesModule = `
import { createClient } from '@runward/sdk';

const runward = createClient();
// The one below has more than the quick start publishes, for the pages that do not continue it.
const { id: ownId } = await runward.templates.create({ name: 'Own' });
const templateId = process.env.TEMPLATE_ID || ownId;
const { id: taskId } = await runward.templates.tasks.create(ownId, { title: 'Form', repeatable: true });
await runward.templates.tasks.create(ownId, { title: 'Last' });
const add = (key: string, type: 'TEXT' | 'FILE_UPLOAD') =>
  runward.templates.fields.create(ownId, taskId, { key, label: key, type });
const { id: fieldId } = await add('number', 'TEXT');
await add('file', 'FILE_UPLOAD');
await runward.templates.publish(ownId);
const { data: users } = await runward.users.list();

export async function names(withEntry: boolean, withFile: boolean) {
  const { id: runId } = await runward.runs.launch({ templateId, title: 'One' });
  const run = await runward.runs.get(runId);
  const task = run.tasks[0];
  const { runTaskId } = task;
  const { data: fields } = await runward.templates.publishedFields(templateId);
  const runTaskFieldId = fields.find(({ type }) => type === (withFile ? 'FILE_UPLOAD' : 'TEXT'))!.runTaskFieldId;
  // A task takes one open entry, and some programs open it themselves.
  const entry = (withEntry ? await runward.execution.open({ runTaskId }) : undefined)!;
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==', 'base64');
  return {
    runward, templateId, taskId, fieldId, runId, run, task, runTaskId, runTaskFieldId, entry, png,
    hires: [{ name: 'Ada' }, { name: 'Grace' }], month: '2027-01', taskIds: [runTaskId], assigneeId: users[0].id,
    key: process.env.RUNWARD_API_KEY, baseUrl: process.env.RUNWARD_BASE_URL,
  };
}
`;

/** The names of that module. */
export const given: readonly string[] =
  'runward templateId taskId fieldId runId run task runTaskId runTaskFieldId entry png hires month taskIds assigneeId key baseUrl'.split(
    ' ',
  );

/**
 * The modules of the receiver's README, by file. Each server gets one of the ports, and the client gets the port of the
 * first server.
 */
export function receiverModules(ports: readonly number[]): ReadonlyMap<string, string> {
  const modules = new Map<string, string>();
  const blocks = blocksOf('packages/webhooks/README.md').filter(({ language }) => language === 'ts');
  let servers = 0;
  for (const [index, { text }] of blocks.entries()) {
    const [, named] = /^\/\/ (\S+\.ts)\n/.exec(text) ?? [];
    const port = text.includes('listen(') ? ports[servers++] : ports[0];
    modules.set(named ?? `block-${index}.ts`, text.replaceAll(/\b3001\b/g, String(port)));
  }
  return modules;
}

/** A program that loads these modules, sends each a signed delivery, and prints the status of each response. */
export function callReceivers(files: readonly string[], ports: readonly number[]): string {
  return `
import { sign } from '@runward/webhooks';

const secret = process.env.RUNWARD_SIGNING_SECRET ?? '';
async function delivery() {
  const body = JSON.stringify({
    event: 'run.completed', deliveryId: crypto.randomUUID(), timestamp: new Date().toISOString(),
    orgId: 'o', data: { runId: 'r', templateId: 't', sequence: 1 },
  });
  return { method: 'POST', body, headers: { ...(await sign(body, { secret })) } };
}
const modules: Record<string, any>[] = [];
for (const file of ${JSON.stringify(files)}) modules.push(await import(\`./\${file}\`));
const given = Object.assign({}, ...modules);
const request = async () => new Request('http://localhost/webhooks', await delivery());
const lambda = async () => {
  const { body, headers } = await delivery();
  return (await given.lambda({ body, headers, isBase64Encoded: false })).statusCode;
};
const results = {
  POST: (await given.POST(await request())).status,
  hono: (await given.app.request('/webhooks', await delivery())).status,
  lambda: await lambda(),
  receive: (await given.receive(await request(), secret)).status,
  servers: [] as number[],
};
for (const port of ${JSON.stringify(ports)}) {
  results.servers.push((await fetch(\`http://127.0.0.1:\${port}/webhooks\`, await delivery())).status);
}
await given.catchUp();
console.log(JSON.stringify(results));
process.exit();
`;
}
