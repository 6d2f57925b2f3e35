import { errorBody, isStream, statusOf } from '@runward/contract';
import type { ApiResponse } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { startReceiver } from '@runward/testing/receiver';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test, { type ExecutionContext } from 'ava';
import { callOf, examplesOf, prepare, send } from '../support/sweep/calls.ts';
import { allEndpoints, type NamedEndpoint } from '../support/sweep/endpoints.ts';
import { idAt, placesOf } from '../support/sweep/id-positions.ts';
import { callerOf, newWorld } from '../support/world/world.ts';

const app = useSharedApp(test);
const stack = new AsyncDisposableStack();
test.after.always(() => stack.disposeAsync());

const makeWorld = async () => newWorld(app, await newOrganization(app), stack.use(await startReceiver()).url);
let made: ReturnType<typeof makeWorld> | undefined;
/** One of everything. The last test changes it. */
const oneWorld = () => (made ??= makeWorld());

const onEveryAnswer = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none';base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const requestIds = new Set<string>();

/** Checks what every response has in common, successful or not. */
function checkHeaders(
  t: ExecutionContext,
  { endpoint, name }: NamedEndpoint,
  { status, headers }: ApiResponse<unknown>,
) {
  const isFile = isStream(endpoint.response) && status < 400;
  // The URL of a file is the permission: pages of other sites may show it, and browsers may keep it.
  const isCapability = isFile && endpoint.access === 'public';
  const sandboxed = `${onEveryAnswer['content-security-policy']};sandbox`;
  const own = isCapability
    ? { 'cross-origin-resource-policy': 'cross-origin', 'content-security-policy': sandboxed }
    : { 'cache-control': 'no-store' };
  for (const [header, value] of Object.entries({ ...onEveryAnswer, ...own })) {
    t.is(headers.get(header), value, `${name}: ${header}`);
  }
  if (isCapability) t.regex(headers.get('cache-control') ?? '', /^private, max-age=\d+$/);
  t.truthy(headers.get('strict-transport-security'), name);
  t.is(headers.get('x-powered-by'), null, name);
  if (isFile) t.regex(headers.get('content-disposition') ?? '', /^attachment; filename=/);
  else t.is(headers.get('content-type'), status === 204 ? null : 'application/json; charset=utf-8', name);

  const requestId = headers.get('x-request-id') ?? '';
  t.regex(requestId, uuid, name);
  t.false(requestIds.has(requestId), name);
  requestIds.add(requestId);

  const allowance = ['limit', 'remaining', 'reset'].map((part) => Number(headers.get(`x-ratelimit-${part}`)));
  const [limit = 0, remaining = 0, reset = 0] = allowance;
  t.is(limit, 100_000, name);
  if (endpoint.access === 'public') t.is(remaining, limit, name);
  else t.true(remaining > 0 && remaining < limit, `${name}: ${remaining} of ${limit} left`);
  const seconds = reset - Date.now() / 1000;
  t.true(seconds > -5 && seconds <= 65, `${name}: starts anew in ${seconds} s`);
}

test.serial('every endpoint rejects requests with the error body of the contract', async (t) => {
  const world = await oneWorld();
  const ofProcess = /^(health|openapi)\./;
  for (const each of allEndpoints.filter(({ name }) => !ofProcess.test(name))) {
    const { name, endpoint } = each;
    const [example = {}] = examplesOf(each);
    const valid = callOf(each, example, world.ids, world);
    const call = { ...valid, query: { ...valid.query, surprise: '1' } };
    const answer = await send(callerOf(world, endpoint), each, call);
    const { timestamp, ...error } = errorBody.parse(answer.body);
    t.deepEqual(error, {
      statusCode: 400,
      code: 'validation_failed',
      error: 'Bad Request',
      message: ['surprise: unknown parameter; remove it'],
      path: endpoint.path.replaceAll(/:(\w+)/g, (_, parameter: string) => call.params[parameter] ?? ''),
    });
    t.is(answer.status, 400, name);
    t.true(Math.abs(Date.now() - Date.parse(timestamp)) < 60_000, name);
    checkHeaders(t, each, answer);
  }
});

test.serial('the examples contain every id that an endpoint accepts', async (t) => {
  const world = await oneWorld();
  for (const each of allEndpoints) {
    const calls = examplesOf(each).map((example) => callOf(each, example, world.ids, world));
    for (const place of placesOf(each.endpoint)) {
      const isNamed = calls.some((call) => idAt(call, place) !== undefined);
      t.true(isNamed, `Describe a call of ${each.name} with an id at ${place.at} in test/support/examples.`);
    }
  }
});

test.serial('the response of every endpoint matches its contract', async (t) => {
  const world = await oneWorld();
  // Signing out would end the session that the other calls need.
  const isLast = ({ name }: NamedEndpoint) => name === 'auth.logout';
  for (const each of [...allEndpoints.filter((one) => !isLast(one)), ...allEndpoints.filter(isLast)]) {
    const { name, endpoint } = each;
    for (const example of examplesOf(each)) {
      const call = callOf(each, example, await prepare(example, world), world);
      const answer = await send(callerOf(world, endpoint), each, call);
      const what = `${name} ${JSON.stringify(call.body)} answers ${JSON.stringify(answer.body)}`;
      t.is(answer.status, statusOf(endpoint), `${what}; is a call that succeeds described in test/support/examples?`);
      const { response } = endpoint;
      if (isStream(response)) {
        const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
        t.true(response.contentTypes.includes(type) || response.contentTypes[0] === '*/*', `${name}: ${type}`);
        t.truthy(answer.body, name);
      } else if (response) t.deepEqual(response.parse(answer.body), answer.body, name);
      else t.deepEqual([statusOf(endpoint), answer.body], [204, undefined], name);
      checkHeaders(t, each, answer);
      const { version } = (answer.body ?? {}) as { version?: string };
      const etag = endpoint.versioned && statusOf(endpoint) !== 204 ? `"${version}"` : null;
      if (!isStream(response) || !response.ranges) t.is(answer.headers.get('etag'), etag, name);
    }
  }
});
