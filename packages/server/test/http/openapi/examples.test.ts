import { errorBody, eventNames, eventPayloads, isBinary, isMultipart, isStream } from '@runward/contract';
import { examples } from '@runward/contract/examples';
import test from 'ava';
import { z } from 'zod';
import { allEndpoints } from '../../support/sweep/endpoints.ts';
import { document, isNode, nodesOf, type Node } from './nodes.ts';

const remedy = 'Run `npm run examples`.';

/** Every JSON body of the document, with its place. */
const bodies = [...nodesOf(document)]
  .filter(({ at }) => at.at(-2) === 'content' && at.at(-1) === 'application/json')
  .map(({ node, at }) => ({ node, place: at.join('/') }));

/** The paths of all texts of a value. */
function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (isNode(value)) for (const each of Object.values(value)) yield* textsOf(each);
}

test('each JSON body of a request, response, error and event has an example', (t) => {
  t.true(bodies.length > 100);
  const missing = bodies.filter(({ node }) => !isNode(node['example']));
  t.deepEqual(
    missing.map(({ place }) => place),
    [],
    remedy,
  );
});

test('the example of each request is accepted by its endpoint', (t) => {
  for (const { name, endpoint } of allEndpoints) {
    const { body } = endpoint;
    if (!body || isMultipart(body) || isBinary(body)) continue;
    const { error } = body.safeParse(examples[name]?.request);
    t.is(error, undefined, `${name}: ${error && z.prettifyError(error)}. ${remedy}`);
  }
});

test('the example of each response is one of its endpoint', (t) => {
  for (const { name, endpoint } of allEndpoints) {
    const { response } = endpoint;
    if (!response || isStream(response)) continue;
    const { data, error } = response.safeParse(examples[name]?.response);
    t.is(error, undefined, `${name}: ${error && z.prettifyError(error)}. ${remedy}`);
    t.deepEqual(data, examples[name]?.response, name);
  }
});

test('the example of each event is its payload', (t) => {
  for (const event of eventNames) {
    const { data, error } = eventPayloads[event].safeParse(examples[`event.${event}`]?.request);
    t.is(error, undefined, `${event}: ${error && z.prettifyError(error)}. ${remedy}`);
    t.false('test' in (data?.data ?? {}), event);
  }
});

test('the example of each error has its status and what this status requires', (t) => {
  const errors = bodies.filter(({ node }) => String((node['schema'] as Node)['$ref']).endsWith('Error'));
  t.true(errors.length > 10);
  for (const { node, place } of errors) {
    const example = errorBody.parse(node['example']);
    const name = String((node['schema'] as Node)['$ref']).replace(/^.*\//, '');
    t.is(`${example.error.replaceAll(' ', '')}Error`, name, place);
    t.is('capability' in example, example.statusCode === 402, place);
    t.is('retryAfter' in example, example.statusCode === 429 || example.statusCode === 503, place);
  }
});

test('examples name only endpoints and events that exist', (t) => {
  const names = new Set([...allEndpoints.map(({ name }) => name), ...eventNames.map((event) => `event.${event}`)]);
  t.deepEqual(
    Object.keys(examples).filter((name) => !names.has(name)),
    [],
    remedy,
  );
});

test('examples contain no ids, addresses or keys of the recording', (t) => {
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  for (const text of textsOf(examples)) {
    for (const [id] of text.matchAll(uuid)) t.regex(id, /^0195f3a0-/, text);
    t.notRegex(text, /127\.0\.0\.1|localhost/);
    if (text.startsWith('sk_live_')) t.regex(text, /^sk_live_(…mple|(Example)+)$/);
    if (/^https?:/.test(text)) t.regex(new URL(text).hostname, /\.example\.com$/);
    if (/^\d{4}-\d\d-\d\dT/.test(text)) t.regex(text, /^(2020-01-01|2026-0[1-3]-|2027-01-01)/);
  }
});
