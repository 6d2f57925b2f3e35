import { gzipSync } from 'node:zlib';
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { apiOf, apiWith } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test, { type ExecutionContext } from 'ava';

const app = useSharedApp(test);

/** Connects the official client, in the way of the newest protocol or of the one before. */
async function connect(
  t: ExecutionContext,
  apiKey: string,
  { search = '', mode = 'auto' }: { search?: string; mode?: 'auto' | 'legacy' } = {},
) {
  const transport = new StreamableHTTPClientTransport(new URL(`/mcp${search}`, app.baseUrl), {
    requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  t.teardown(() => client.close());
  return client;
}

const textOf = ({ content }: CallToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

/** The headers of a request of the protocol of 2025, which needs no others. */
const headers = { accept: 'application/json, text/event-stream' };
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

test('a model works with the service over HTTP, with both protocols', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [{ title: 'Sign', fields: [{ label: 'Note', type: 'TEXT' }] }], {
    name: 'Onboarding',
  });
  for (const mode of ['auto', 'legacy'] as const) {
    const client = await connect(t, org.apiKey, { mode });
    t.is((await client.listTools()).tools.length, 15, mode);
    const launched = await client.callTool({ name: 'launch_run', arguments: { template: 'Onboarding', title: mode } });
    t.regex(textOf(launched), new RegExp(`^Launched RUN-\\w+ "${mode}" \\(RUNNING\\)\\.`));
    const { runId } = launched.structuredContent as { runId: string };
    const submitted = await client.callTool({
      name: 'submit_form',
      arguments: { run: mode, task: 'Sign', values: { note: 'é' } },
    });
    t.regex(textOf(submitted), /^Completed "Sign"/);
    const run = await getRun(org.api, runId);
    t.is(run.status, 'COMPLETED');
    const [content] = (await client.readResource({ uri: `runward://runs/${runId}` })).contents;
    t.regex(content && 'text' in content ? content.text : '', /task: Sign; field: Note; value: é/);
    const { data: activity } = await must(org.api.call('runs', 'activity', { params: { id: runId } }));
    t.true(activity.every(({ actor }) => actor.type === 'API_KEY'));
  }
  t.is((await must(org.api.call('runs', 'counts', { query: { templateIds: templateId } }))).COMPLETED, 2);
});

test('scopes, resource mode and organization hold for tools, and a revoked key ends them', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const { templateId } = await publishProcess(org.api, undefined, { name: 'Allowed' });
  const { templateId: hidden } = await publishProcess(org.api, undefined, { name: 'Hidden' });
  const foreign = await launchRun(other.api, (await publishProcess(other.api)).templateId);
  const outside = await launchRun(org.api, hidden);
  const session = await org.session();
  const body = {
    name: 'Reader',
    scopes: ['runs:read' as const, 'templates:read' as const],
    resourceMode: 'SELECTED_TEMPLATES' as const,
    scopedTemplateIds: [templateId],
  };
  const made = await must(session.call('apiKeys', 'create', { body }));
  const client = await connect(t, made.plainKey, { search: '?groups=runs,templates' });
  const names = new Set((await client.listTools()).tools.map(({ name }) => name));
  t.deepEqual(
    ['find_runs', 'read_form', 'submit_form', 'runs_get', 'runs_cancel', 'webhooks_list'].map((name) =>
      names.has(name),
    ),
    [true, true, false, true, false, false],
  );
  const failure = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args });
    t.true(result.isError, name);
    return textOf(result);
  };
  t.regex(await failure('launch_run', { template: templateId }), /lacks the scope runs:execute/);
  t.regex(await failure('runs_cancel', { id: outside.id }), /lacks the scope runs:write/);
  t.regex(await failure('get_run', { run: foreign.id }), /not found/);
  t.regex(await failure('get_run', { run: outside.id }), /resource mode[^]*\(code: out_of_resource_scope\)$/);
  t.regex(textOf(await client.callTool({ name: 'find_runs', arguments: {} })), /^No run fits/);
  t.regex(textOf(await client.callTool({ name: 'find_templates', arguments: {} })), /name: Allowed/);

  await must(session.call('apiKeys', 'revoke', { params: { id: made.id } }));
  await t.throwsAsync(client.listTools(), { message: /revoked/ });
});

test('the response with the tools of all groups has less than 100 kB', async (t) => {
  const org = await newOrganization(app);
  const response = await fetch(`${app.baseUrl}/mcp?groups=all`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', authorization: `Bearer ${org.apiKey}` },
    body: JSON.stringify(listTools),
  });
  const { byteLength } = await response.arrayBuffer();
  t.is(response.status, 200);
  t.true(byteLength > 50_000 && byteLength < 100_000, `${byteLength} bytes`);
});

test('a request with read-only tools offers no others', async (t) => {
  const org = await newOrganization(app);
  const client = await connect(t, org.apiKey, { search: '?readOnly=true&groups=execution' });
  const { tools } = await client.listTools();
  t.deepEqual(
    tools.filter(({ annotations }) => annotations?.readOnlyHint !== true),
    [],
  );
  t.true(tools.some(({ name }) => name === 'execution_get'));
  await t.throwsAsync(client.callTool({ name: 'launch_run', arguments: {} }), { message: /Unknown tool/ });
});

test('only keys get in, of callers that are no pages of other sites, and only by POST', async (t) => {
  const org = await newOrganization(app);
  const send = (api: typeof org.api, more: Record<string, string> = {}, path = '/mcp') =>
    api.raw('POST', path, { body: listTools, headers: { ...headers, ...more } });
  for (const api of [apiWith(app.baseUrl, {}), apiOf(app.baseUrl, 'sk_live_unknown'), await org.session()]) {
    const { status, headers: received, error } = await send(api);
    t.is(status, 401);
    t.regex(received.get('www-authenticate') ?? '', /^Bearer/);
    t.regex(String(error.message), /^Authentication required/);
  }
  const locked = await newOrganization(app, { plan: 'FREE' });
  t.is((await send(locked.api)).status, 402);
  t.is((await send(org.api)).status, 200);
  t.is((await send(org.api, {}, '/mcp/')).status, 200);
  t.is((await send(org.api, { origin: app.baseUrl })).status, 200);
  for (const origin of ['https://evil.example', 'null', `${app.baseUrl}0`]) {
    t.is((await send(org.api, { origin })).status, 403, origin);
  }
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const { status, headers: received, body } = await org.api.raw(method, '/mcp', { headers });
    t.deepEqual([status, received.get('allow')], [405, 'POST'], method);
    t.like(body, { jsonrpc: '2.0', id: null, error: { code: -32_000 } });
  }
  for (const [search, message] of [
    ['?groups=planes', /^groups: "planes" is not a group/],
    ['?readOnly=yes', /^readOnly: must be true or false/],
    ['?group=runs', /^group: unknown parameter; use groups or readOnly/],
  ] as const) {
    const { status, error } = await send(org.api, {}, `/mcp${search}`);
    t.is(status, 400);
    t.regex([error.message].flat().join(), message);
  }
});

test('what is not JSON-RPC gets an error, and a request counts for the key', async (t) => {
  const org = await newOrganization(app);
  const post = (body: unknown, more: Record<string, string> = {}) =>
    org.api.raw('POST', '/mcp', { body, headers: { ...headers, ...more } });
  const malformed = ['{', '', '[]', {}, { jsonrpc: '2.0', id: 1 }, { jsonrpc: '1.0', id: 1, method: 'fly' }, '\u0000'];
  const errors = await Promise.all(
    malformed.map(async (body) => {
      const received = await post(body);
      return [received.status, (received.body as { error?: { code: number } }).error?.code];
    }),
  );
  t.deepEqual(errors, [
    [400, -32_700],
    [400, -32_700],
    [400, -32_600],
    [400, -32_600],
    [400, -32_600],
    [400, -32_600],
    [400, -32_700],
  ]);
  const eventOf = (text: unknown) =>
    JSON.parse(/^data: (.*)$/m.exec(String(text))?.[1] ?? '{}') as Record<string, unknown>;
  t.like(eventOf((await post({ jsonrpc: '2.0', id: 7, method: 'fly' })).body), { id: 7, error: { code: -32_601 } });
  const calls = await Promise.all(
    [undefined, {}, { name: 7 }, { name: 'find_runs', arguments: 'x' }, { name: 'fly' }].map(async (params) => {
      const { status, body } = await post({ jsonrpc: '2.0', id: 8, method: 'tools/call', params });
      return [status, (eventOf(body)['error'] as { code: number } | undefined)?.code];
    }),
  );
  t.deepEqual(
    calls,
    Array.from({ length: 5 }, () => [200, -32_602]),
  );
  t.is((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202);
  t.is((await post(listTools, { 'content-type': 'text/plain' })).status, 415);
  t.is((await post({ ...listTools, params: { cursor: 'x'.repeat(1_100_000) } })).status, 413);
  const compressed = new Blob([gzipSync(JSON.stringify(listTools))], { type: 'application/json' });
  t.is((await post(compressed, { 'content-encoding': 'gzip' })).status, 200);

  // The first and the last of these requests may be in different minutes.
  const costs = await until(async () => {
    const call = { ...listTools, method: 'tools/call', params: { name: 'find_runs', arguments: {} } };
    const answers = [await post(listTools), await post(call), await post(listTools)];
    const [first, ...others] = answers.map(({ headers: received }) => received);
    const left = (received: Headers | undefined) => Number(received?.get('x-ratelimit-remaining'));
    const isSameMinute = others.every((each) => each.get('x-ratelimit-reset') === first?.get('x-ratelimit-reset'));
    return isSameMinute && others.map((each) => left(first) - left(each));
  }, 'three requests in one minute');
  t.deepEqual(costs, [1, 3], 'the tool has requested the runs besides');
});
