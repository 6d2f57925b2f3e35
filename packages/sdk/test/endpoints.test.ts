import type { ServerResponse } from 'node:http';
import {
  contract,
  isMultipart,
  isStream,
  parameterNames,
  routesOf,
  statusOf,
  type Endpoint,
  type Group,
} from '@runward/contract';
import { json } from '@runward/testing/http-server';
import test from 'ava';
import manifest from '../package.json' with { type: 'json' };
import { routes } from '../src/generated/routes.ts';
import type { Download } from '../src/index.ts';
import { property } from '../src/property.ts';
import { version } from '../src/version.ts';
import { apiKey, id, newClient } from './support/client.ts';

const groups: Readonly<Record<string, Group>> = { ...contract };
const endpoints = Object.entries(groups).flatMap(([group, members]) =>
  Object.entries(members).map(([name, endpoint]) => ({ operation: `${group}.${name}`, endpoint })),
);
const needsSession = ({ endpoint: { access } }: { readonly endpoint: Endpoint }) =>
  access === 'session' || access === 'administrator';
const operations = endpoints.filter((each) => !needsSession(each));

type Method = (...args: unknown[]) => PromiseLike<unknown>;

function methodOf(client: object, operation: string): Method | undefined {
  const found = operation.split('.').reduce<unknown>((node, word) => property(node, word), client);
  return found as Method | undefined;
}

function sampleArguments({ path, body, query }: Endpoint) {
  const files = isMultipart(body) ? Object.keys(body.files).map((name) => [name, new Blob([name])]) : [];
  return {
    parameters: parameterNames(path).map((name) => `${name}/ä ?#%25+;..`),
    body: body && { sample: 'größe', idempotencyKey: id, ...Object.fromEntries(files) },
    query: query && { limit: 5, archived: true, status: 'A&B=C', nothing: undefined },
  };
}

function respondAs(endpoint: Endpoint, data: unknown, res: ServerResponse) {
  const { response } = endpoint;
  if (!isStream(response)) return response ? json(res, statusOf(endpoint), data) : res.writeHead(204).end();
  res.writeHead(statusOf(endpoint), { 'content-type': response.contentTypes[0] }).end('content');
}

/** How the body of a request was sent. */
function encodingOf(body: Endpoint['body']): RegExp {
  return isMultipart(body) ? /^multipart\/form-data; boundary=/ : body ? /^application\/json$/ : /^$/;
}

test('the routes are those of the contract', (t) => {
  t.deepEqual<unknown, unknown>(routes, routesOf(groups));
  t.true(operations.length > 100);
});

test('a client has no methods of endpoints that need a session', async (t) => {
  const { runward } = await newClient(t, (res) => json(res, 200, {}));
  const missing = endpoints.filter(needsSession).map(({ operation }) => methodOf(runward, operation));
  t.true(missing.length > 10);
  t.deepEqual([...new Set(missing)], [undefined]);
  t.false('organization' in runward, 'all its endpoints need a session');
});

for (const { operation, endpoint } of operations) {
  test(`${operation} sends ${endpoint.method} ${endpoint.path}`, async (t) => {
    const record = endpoint.query ? { data: [], total: 0, hasMore: false, nextCursor: null } : { id: 'x', more: 1 };
    const { runward, received } = await newClient(t, (res) => respondAs(endpoint, record, res));
    const { parameters, body, query } = sampleArguments(endpoint);
    const headers = { 'x-trace': 'abc' };

    const data = await methodOf(runward, operation)?.(
      ...parameters,
      ...(body ? [body] : []),
      ...(query ? [query] : []),
      {
        headers,
      },
    );

    const path = endpoint.path
      .split('/')
      .map((segment) => (segment.startsWith(':') ? encodeURIComponent(parameters.shift() ?? '') : segment));
    const search = query ? '?limit=5&archived=true&status=A%26B%3DC' : '';
    t.is(received.length, 1);
    const [request] = received;
    t.is(request?.method, endpoint.method);
    t.is(request?.url, path.join('/') + search);
    if (!isMultipart(endpoint.body)) t.is(request?.body, body ? JSON.stringify(body) : '');
    t.regex(request?.headers['content-type'] ?? '', encodingOf(endpoint.body));
    t.regex(request?.headers.accept ?? '', /\bapplication\/json$/);
    t.is(request?.headers.authorization, endpoint.access === 'public' ? undefined : `Bearer ${apiKey}`);
    t.is(request?.headers['x-trace'], 'abc');
    if (isStream(endpoint.response)) t.is(await (data as Download).text(), 'content');
    else t.deepEqual(data, endpoint.response ? record : undefined);
  });
}

test('no group has the name of a method, so nesting hides no method', (t) => {
  const names = new Set([...operations.map(({ operation }) => operation), 'request']);
  for (const group of Object.keys(groups)) t.false(names.has(group));
});

test('an optional body or query can be omitted', async (t) => {
  const { runward, received } = await newClient(t, (res) => json(res, 200, { data: [], nextCursor: null }));
  await runward.templates.publish(id);
  await runward.templates.publish(id, undefined, { headers: { 'x-trace': 'one' } });
  await runward.runs.counts();
  await runward.runs.list(undefined, { headers: { 'x-trace': 'two' } });
  t.deepEqual(
    received.map(({ url, body, headers }) => [url, body, headers['content-type'], headers['x-trace']]),
    [
      [`/templates/${id}/publish`, '', undefined, undefined],
      [`/templates/${id}/publish`, '', undefined, 'one'],
      ['/runs/counts', '', undefined, undefined],
      ['/runs', '', undefined, 'two'],
    ],
  );
});

test('a path parameter that is missing, empty or made of dots is rejected before anything is sent', async (t) => {
  const { runward, received } = await newClient(t, (res) => json(res, 200, {}));
  const untyped = methodOf(runward, 'templates.fields.delete');
  await t.throwsAsync(async () => runward.runs.get(''), {
    message: /^runs\.get: argument 1 \(`runId`\) must be a non-empty string/,
  });
  await t.throwsAsync(async () => untyped?.(id, id), {
    message: /^templates\.fields\.delete: argument 3 \(`fieldId`\)/,
  });
  await t.throwsAsync(async () => untyped?.(id, 7, id), { message: /argument 2 \(`taskId`\)/ });
  await t.throwsAsync(async () => runward.runs.get('..'), { message: /`runId` must not be "\.\."/ });
  await t.throwsAsync(async () => runward.runs.activity('.'), { message: /`runId` must not be "\."/ });
  t.deepEqual(received, []);
});

test('baseUrl may have a path prefix and trailing slashes', async (t) => {
  const { baseUrl, received } = await newClient(t, (res) => json(res, 200, {}));
  for (const suffix of ['', '/', '/flows/api', '/flows/api//']) {
    const { runward } = await newClient(t, () => {}, { baseUrl: baseUrl + suffix });
    await runward.runs.get(id);
  }
  t.deepEqual(
    received.map(({ url }) => url),
    [`/runs/${id}`, `/runs/${id}`, `/flows/api/runs/${id}`, `/flows/api/runs/${id}`],
  );
});

test('the user agent names the package, Node and the calling program', async (t) => {
  const appInfo = { name: 'importer', version: '1.2.0', url: 'https://example.com' };
  const plain = await newClient(t, (res) => json(res, 200, {}));
  const named = await newClient(t, (res) => json(res, 200, {}), { appInfo });
  await plain.runward.runs.get(id);
  await named.runward.runs.get(id);
  const agent = `runward-sdk/${manifest.version} node/${process.versions.node}`;
  t.is(version, manifest.version, 'src/version.ts must have the version of package.json');
  t.is(plain.received[0]?.headers['user-agent'], agent);
  t.is(named.received[0]?.headers['user-agent'], `${agent} importer/1.2.0 (https://example.com)`);
});
