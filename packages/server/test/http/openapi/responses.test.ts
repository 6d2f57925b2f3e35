import { effectOf, errorNames, isStream } from '@runward/contract';
import test from 'ava';
import { allEndpoints, isSessionOnly, type NamedEndpoint } from '../../support/sweep/endpoints.ts';
import { document, isNode, nodesOf, resolve, type Node } from './nodes.ts';

interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Node>>;
  readonly content?: Readonly<Record<string, { readonly schema: Node }>>;
}

interface Operation {
  readonly summary: string;
  readonly parameters: readonly Node[];
  readonly responses: Readonly<Record<string, Node>>;
}

function operationOf({ endpoint: { path, method } }: NamedEndpoint): Operation {
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (!operation) throw new Error(`The document lacks ${method} ${path}.`);
  return operation;
}

/** The responses of an endpoint by status, without references. */
function responsesOf(each: NamedEndpoint): [status: number, response: Response][] {
  return Object.entries(operationOf(each).responses).map(([status, response]) => {
    const { $ref: reference } = response;
    return [Number(status), (typeof reference === 'string' ? resolve(reference) : response) as Response];
  });
}

const rateLimit = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

test('each response states its headers', (t) => {
  for (const each of allEndpoints) {
    const { name, endpoint } = each;
    const isPublic = endpoint.access === 'public';
    for (const [status, { headers = {} }] of responsesOf(each)) {
      const has = (header: string) => header in headers;
      const what = `${name} ${status}`;
      if (status === 431) {
        t.deepEqual(headers, {}, what);
        continue;
      }
      t.true(has('x-request-id'), what);
      t.true(rateLimit.every(has), what);
      t.is(has('Retry-After'), status === 429 || status === 503, what);
      t.is(has('WWW-Authenticate'), status === 401, what);
      t.is(has('Idempotency-Replayed'), status < 300 && !isPublic && effectOf(endpoint) === 'write', what);
      const isTagged =
        endpoint.versioned === true || (isStream(endpoint.response) && endpoint.response.ranges === true);
      t.is(has('ETag'), isTagged && [200, 201, 206, 304].includes(status), what);
    }
  }
});

test('each error has the body of its status', (t) => {
  for (const each of allEndpoints) {
    for (const [status, { content }] of responsesOf(each).filter(([code]) => code >= 400)) {
      const reference = content?.['application/json']?.schema['$ref'];
      t.is(reference, `#/components/schemas/${errorNames[status as 404].replaceAll(' ', '')}Error`, each.name);
    }
  }
  t.like(resolve('#/components/schemas/TooManyRequestsError'), {
    properties: { statusCode: { const: 429 } },
    required: ['statusCode', 'retryAfter'],
  });
});

test('the description of a response is a sentence and not the summary of the operation', (t) => {
  for (const each of allEndpoints) {
    for (const [status, { description }] of responsesOf(each)) {
      t.regex(description, /^[A-Z].*\.$/, `${each.name} ${status}`);
      t.not(description, operationOf(each).summary);
    }
  }
});

test('sessions and public endpoints declare only errors they can return', (t) => {
  const statuses = (name: string) =>
    allEndpoints.filter((each) => each.name === name).flatMap((each) => responsesOf(each).map(([status]) => status));
  t.deepEqual(statuses('auth.login'), [200, 400, 401, 403, 413, 421, 429, 431, 500, 503, 507]);
  t.deepEqual(statuses('auth.session'), [200, 400, 401, 421, 429, 431, 500, 503, 507]);
  t.deepEqual(statuses('health.live'), [200, 431, 500, 503]);
  t.deepEqual(statuses('health.ready'), [200, 431, 500, 503]);
  const plans = allEndpoints.filter((each) => isSessionOnly(each.endpoint) && statuses(each.name).includes(402));
  t.deepEqual(
    plans.map(({ name }) => name),
    ['apiKeys.create'],
  );
});

test('writes accept an idempotency key, and versioned records conditions', (t) => {
  for (const each of allEndpoints) {
    const { endpoint, name } = each;
    const { parameters } = operationOf(each);
    const accepts = (parameter: string) =>
      parameters.some(({ $ref: reference }) => reference === `#/components/parameters/${parameter}`);
    t.is(accepts('IdempotencyKey'), effectOf(endpoint) === 'write' && endpoint.access !== 'public', name);
    const servesRanges = isStream(endpoint.response) && endpoint.response.ranges === true;
    t.is(accepts('Range'), servesRanges, name);
    t.is(accepts('IfNoneMatch'), (endpoint.versioned === true && endpoint.method === 'GET') || servesRanges, name);
    t.is(accepts('IfMatch'), '412' in operationOf(each).responses, name);
  }
});

test('parameters with a default state it', (t) => {
  for (const { node } of nodesOf(document['paths'])) {
    const { name, schema } = node;
    if (name === 'limit') t.like(schema, { type: 'integer', minimum: 1, maximum: 200, default: 200 });
    if (name === 'archived') t.like(schema, { type: 'boolean', default: false });
    if (name === 'cursor') t.like(schema, { type: 'string', pattern: '^[A-Za-z0-9_-]+$' });
  }
});

test('no integer has the bounds of a JavaScript number', (t) => {
  const integers = [...nodesOf(document)].filter(({ node }) => node['type'] === 'integer');
  t.true(integers.length > 20);
  for (const { node, at } of integers) {
    t.true(typeof node['minimum'] === 'number' && Math.abs(node['minimum']) < 2 ** 31, at.join('/'));
    const { maximum } = node;
    t.true(maximum === undefined || (typeof maximum === 'number' && maximum < 2 ** 31), at.join('/'));
  }
});

test('the tags of operations are those of the document', (t) => {
  const tags = (document['tags'] as { name: string }[]).map(({ name }) => name);
  t.is(new Set(tags).size, tags.length);
  for (const { node } of nodesOf(document['paths'])) {
    if (isNode(node) && typeof node['operationId'] === 'string')
      t.true(tags.includes((node['tags'] as string[])[0] ?? ''));
  }
});
