import { newOrganization } from '@runward/testing/organization';
import { publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { nameTools } from '../src/endpoint-tools/name-tools.ts';
import { toolsOf } from '../src/endpoint-tools/tools-of-contract.ts';
import { parseGroups } from '../src/index.ts';
import { connectHere } from './support/connect.ts';

const app = useSharedApp(test);
const groups = parseGroups('all');

/** The names of the properties of an object at a path of a schema, which has no references. */
function namesAt(schema: unknown, ...path: string[]): string[] {
  type Node = { readonly properties?: Readonly<Record<string, Node>> };
  const node = path.reduce<Node | undefined>((each, name) => each?.properties?.[name], schema as Node);
  return Object.keys(node?.properties ?? {});
}

/** The paths in a schema of lists whose items it does not describe. */
function listsWithoutItems(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, items } = node as { readonly type?: unknown; readonly items?: unknown };
  const isBare = [type].flat().includes('array') && items === undefined;
  const deeper = Object.entries(node).flatMap(([name, part]) => listsWithoutItems(part, `${path}.${name}`));
  return isBare ? [path, ...deeper] : deeper;
}

test('the list of all tools has less than 100 kB, and describes the items of every list', async (t) => {
  const org = await newOrganization(app);
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey }, { groups });
  const list = await mcp.client.listTools();
  t.true(list.tools.length > 200, `${list.tools.length} tools`);
  const bytes = Buffer.byteLength(JSON.stringify(list));
  t.true(bytes < 100_000, `${bytes} bytes: shorten the schemas in endpoint-tools/short-schema.ts`);
  t.deepEqual(
    list.tools.flatMap(({ name, inputSchema }) => listsWithoutItems(inputSchema, name)),
    [],
  );
});

test('a listed tool names every argument and those that are required, as its whole schema does', (t) => {
  for (const { name, inputSchema, wholeSchema } of toolsOf(groups)) {
    const [short, whole] = [inputSchema(), wholeSchema()];
    t.deepEqual(namesAt(short), namesAt(whole), name);
    t.deepEqual(
      (short as { required?: unknown }).required ?? [],
      (whole as { required?: unknown }).required ?? [],
      name,
    );
  }
});

test('no schema has references, which some applications drop or reject', async (t) => {
  const org = await newOrganization(app);
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey }, { groups });
  const { tools } = await mcp.client.listTools();
  const whole = toolsOf(groups).map(({ name, wholeSchema }) => ({ name, inputSchema: wholeSchema() }));
  const withReferences = [...tools, ...whole].filter(({ inputSchema }) =>
    /"\$(?:ref|defs)":/.test(JSON.stringify(inputSchema)),
  );
  t.deepEqual(
    withReferences.map(({ name }) => name),
    [],
  );
  const due = tools.find(({ name }) => name === 'list_my_tasks')?.inputSchema.properties?.['due'];
  t.like(due, { type: 'string', enum: ['OVERDUE', 'TODAY', 'THIS_WEEK', 'LATER', 'NONE'] });
  t.regex(
    JSON.stringify(due),
    /"Only tasks that are due then\. Default: all\. When a task is due, .* OVERDUE: its deadline/,
  );
});

test('a tool whose old result stops working is destructive, and none returns a signing secret', (t) => {
  const tools = toolsOf(groups);
  t.true(tools.find(({ name }) => name === 'shared_templates_refresh')?.isDestructive);
  t.deepEqual(
    tools.filter(({ name }) => name.startsWith('webhooks_') && /secret/.test(name)),
    [],
  );
});

test('a listed tool has the properties of a body with their types and values, and no bounds', (t) => {
  const schemaOf = (wanted: string) =>
    toolsOf(groups)
      .find(({ name }) => name === wanted)
      ?.inputSchema();
  t.deepEqual(schemaOf('templates_rules_update')?.['properties'], {
    id: { type: 'string' },
    taskId: { type: 'string' },
    ruleId: { type: 'string' },
    body: {
      type: 'object',
      properties: {
        key: { type: ['string', 'null'] },
        name: { type: ['string', 'null'] },
        match: { enum: ['ALL', 'ANY'] },
        conditions: { type: 'array', items: { type: 'object' } },
        actions: { type: 'array', items: { type: 'object' } },
      },
    },
  });
  const text = JSON.stringify(toolsOf(groups).map(({ inputSchema }) => inputSchema()));
  const surplus = /"(?:\$ref|\$defs|maxLength|minItems|pattern|additionalProperties)":|"description":"/.exec(text);
  t.is(surplus, null);
});

test('describe_tool returns what a tool does and its whole schema, and is there only with tools of endpoints', async (t) => {
  const org = await newOrganization(app);
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey }, { groups });
  const tools = toolsOf(groups);
  const names = new Set(tools.map(({ name }) => name));
  for (const { name, wholeDescription, wholeSchema } of tools) {
    const text = await mcp.text('describe_tool', { tool: name });
    t.is(text, nameTools(`${wholeDescription}\n\n${JSON.stringify(wholeSchema())}`, names));
  }
  t.regex(
    await mcp.text('describe_tool', { tool: 'runs_list' }),
    /updatedAfter.*"description":"Only runs with this status/s,
  );
  t.is(
    await mcp.failure('describe_tool', { tool: 'runs_cancle' }),
    'tool: no tool of an endpoint is named runs_cancle; did you mean runs_cancel?',
  );
  t.regex(await mcp.text('describe_tool', { tool: 'templates_runs_launch' }), /Same as runs_launch with `templateId`/);
  const common = await connectHere(t, { ...app, apiKey: org.apiKey });
  t.false((await common.names()).includes('describe_tool'));
});

test('a misspelled argument or tool is rejected with the name that was meant', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey }, { groups });
  t.is(
    await mcp.failure('runs_list', { templateid: templateId }),
    'templateid: unknown argument; did you mean templateId?',
  );
  t.is(await mcp.failure('runs_launch', { templateId }), 'templateId: unknown argument; it is a property of body');
  t.is(await mcp.failure('groups_list', { colour: 'red' }), 'colour: unknown argument; use limit, cursor');
  t.is(await mcp.failure('get_run', { Run: 'x' }), 'run: is required\nRun: unknown argument; did you mean run?');
  await t.throwsAsync(mcp.client.callTool({ name: 'find_run', arguments: {} }), {
    message: /Unknown tool "find_run"; did you mean find_runs\?/,
  });
});
