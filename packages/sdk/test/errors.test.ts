import { fail } from '@runward/testing/http-server';
import test from 'ava';
import * as sdk from '../src/index.ts';
import { errorOf, id, newClient } from './support/client.ts';

const classes = [
  [400, sdk.ValidationError, sdk.isValidationError],
  [401, sdk.AuthenticationError, sdk.isAuthenticationError],
  [402, sdk.FeatureLockedError, sdk.isFeatureLocked],
  [403, sdk.PermissionError, sdk.isPermissionError],
  [404, sdk.NotFoundError, sdk.isNotFound],
  [412, sdk.PreconditionFailedError, sdk.isPreconditionFailed],
  [413, sdk.ApiError, sdk.isApiError],
  [429, sdk.RateLimitError, sdk.isRateLimited],
  [500, sdk.ServerError, sdk.isServerError],
  [503, sdk.ServerError, sdk.isServerError],
] as const;

const guards = [
  sdk.isAborted,
  sdk.isAuthenticationError,
  sdk.isConnectionError,
  sdk.isFeatureLocked,
  sdk.isNotFound,
  sdk.isPermissionError,
  sdk.isPreconditionFailed,
  sdk.isRateLimited,
  sdk.isServerError,
  sdk.isTimeout,
  sdk.isValidationError,
];

for (const [status, type, guard] of classes) {
  test(`a response with status ${status} is a ${type.name}`, async (t) => {
    const { runward } = await newClient(t, (res) => fail(res, status, {}, { 'x-request-id': 'req-1' }), {
      maxRetries: 0,
    });
    const error = await errorOf(runward.runs.get(id));
    t.true(error instanceof type && error instanceof sdk.RunwardError);
    t.true(guard(error) && sdk.isApiError(error) && sdk.isRunwardError(error));
    t.deepEqual(
      guards.filter((other) => other(error)),
      guards.filter((other) => other === guard),
    );
    if (!sdk.isApiError(error)) return;
    t.is(error.name, type.name);
    t.is(error.message, `GET /x: ${status} Some Error: It failed (request req-1)`);
    t.like(error, { statusCode: status, error: 'Some Error', method: 'GET', path: '/x', requestId: 'req-1' });
    t.is(error.timestamp, '2026-03-01T09:30:00.000Z');
    t.deepEqual(error.messages, ['It failed']);
    t.is(error.headers.get('x-request-id'), 'req-1');
    t.like(error.body, { statusCode: status });
  });
}

test('a ValidationError has all messages of the response', async (t) => {
  const message = ['title: must not be empty', 'templateId: must be a UUID'];
  const { runward } = await newClient(t, (res) => fail(res, 400, { message }));
  const error = await errorOf(runward.runs.launch({ templateId: 'x' }));
  t.true(sdk.isValidationError(error));
  t.deepEqual((error as sdk.ValidationError).messages, message);
  t.regex((error as sdk.ValidationError).message, /must not be empty; templateId: must be a UUID$/);
});

test('an error has the code of the response, or null if the response has none', async (t) => {
  const { runward } = await newClient(
    t,
    (res, { url }) => fail(res, 400, url.endsWith('/1') ? { code: 'run_terminal' } : {}),
    { maxRetries: 0 },
  );
  const [coded, uncoded] = await Promise.all(['1', '2'].map((run) => errorOf(runward.runs.get(run))));
  t.is(sdk.isApiError(coded) && coded.code, 'run_terminal');
  t.is(sdk.isApiError(uncoded) && uncoded.code, null);
});

test('errors with status 402, 403 and 429 have the capability, the missing scope and the wait', async (t) => {
  const { runward } = await newClient(
    t,
    (res, { url }) => {
      if (url.endsWith('/1')) fail(res, 402, { code: 'FEATURE_LOCKED', capability: 'API_ACCESS' });
      else if (url.endsWith('/2')) {
        fail(res, 403, { message: 'The API key lacks the scope data-sources:write. Create a key that has it.' });
      } else if (url.endsWith('/3')) fail(res, 403, { message: 'The API key does not reach this template.' });
      else fail(res, 429, { retryAfter: 7 });
    },
    { maxRetries: 0 },
  );
  const [locked, unscoped, outOfScope, limited] = await Promise.all(
    ['1', '2', '3', '4'].map((run) => errorOf(runward.runs.get(run))),
  );
  t.is(sdk.isFeatureLocked(locked) && locked.capability, 'API_ACCESS');
  t.is(sdk.isPermissionError(unscoped) && unscoped.missingScope, 'data-sources:write');
  t.is(sdk.isPermissionError(outOfScope) && outOfScope.missingScope, null);
  t.is(sdk.isRateLimited(limited) && limited.retryAfterSeconds, 7);
});

test('an error page of a proxy is a ServerError with the beginning of its text', async (t) => {
  const page = `<html>\n  <h1>Bad Gateway</h1>${'<p>padding</p>'.repeat(500)}</html>`;
  const { runward } = await newClient(
    t,
    (res) => res.writeHead(502, 'Bad Gateway', { 'content-type': 'text/html' }).end(page),
    { maxRetries: 0 },
  );
  const error = await errorOf(runward.runs.get(id));
  t.true(sdk.isServerError(error));
  if (!sdk.isServerError(error)) return;
  t.like(error, { statusCode: 502, error: 'Bad Gateway', path: `/runs/${id}`, timestamp: null, requestId: null });
  t.regex(error.messages[0] ?? '', /^<html> <h1>Bad Gateway<\/h1>/);
  t.true((error.messages[0] ?? '').length <= 301 && String(error.body).length <= 301);
});

for (const [name, body] of Object.entries({
  empty: '',
  'other JSON': '{"message":[],"error":7}',
  'a list': '[1]',
})) {
  test(`an error whose body is ${name} has a default message`, async (t) => {
    const { runward } = await newClient(t, (res) => res.writeHead(404, 'Not Found').end(body));
    const error = await errorOf(runward.runs.get(id));
    t.true(sdk.isNotFound(error));
    t.is((error as Error).message, `GET /runs/${id}: 404 Not Found: The response contains no message.`);
  });
}

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect with status ${status} is not followed, so the key is not sent to another server`, async (t) => {
    const other = await newClient(t, (res) => res.end());
    const { runward, received } = await newClient(t, (res) => res.writeHead(status, { location: other.baseUrl }).end());
    const error = await errorOf(runward.runs.get(id));
    t.true(sdk.isApiError(error) && error.statusCode === status);
    t.true((error as Error).message.includes(`redirects to ${other.baseUrl}`));
    t.regex((error as Error).message, /check baseUrl/);
    t.deepEqual([received.length, other.received.length], [1, 0]);
  });
}

test('guards recognize errors of another copy of the package, and no other values', async (t) => {
  const copy = (await import(`${new URL('../src/errors/errors.ts', import.meta.url).href}?copy`)) as typeof sdk;
  const { runward } = await newClient(t, (res) => fail(res, 404));
  const own = (await errorOf(runward.runs.get(id))) as sdk.NotFoundError;
  const foreign: unknown = new copy.NotFoundError(own);
  t.false(foreign instanceof sdk.RunwardError);
  t.true(sdk.isNotFound(foreign) && sdk.isApiError(foreign) && sdk.isRunwardError(foreign));
  t.false(sdk.isServerError(foreign));
  t.true(sdk.isTimeout(new copy.TimeoutError('x')) && !sdk.isApiError(new copy.TimeoutError('x')));

  const lookalike = Object.assign(new Error('x'), { name: 'NotFoundError', statusCode: 404 });
  for (const other of [lookalike, null, undefined, 'NotFoundError', 404, {}]) {
    t.false(sdk.isRunwardError(other) || sdk.isApiError(other) || guards.some((guard) => guard(other)));
  }
});
