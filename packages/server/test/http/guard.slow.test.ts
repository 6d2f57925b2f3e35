import { errorBody, isBinary, isMultipart, scopes } from '@runward/contract';
import { apiOf, type ApiResponse } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { guardedEndpoints, isSessionOnly } from '../support/sweep/endpoints.ts';

const app = useSharedApp(test);

function isErrorBody({ status, error }: ApiResponse<unknown>, path: string): boolean {
  const { success, data } = errorBody.safeParse(error);
  return success && data.statusCode === status && data.path === path.split('?')[0];
}

const keyEndpoints = guardedEndpoints.filter(({ endpoint }) => !isSessionOnly(endpoint));
const sessionOnlyEndpoints = guardedEndpoints.filter(({ endpoint }) => isSessionOnly(endpoint));

test('every endpoint returns 401 without a key or session, and with an invalid key', async (t) => {
  const { apiKey } = await newOrganization(app);
  const nearly = `${apiKey.slice(0, -1)}${apiKey.endsWith('a') ? 'b' : 'a'}`;
  const texts = ['Bearer', 'Bearer x', 'Basic eDp5', apiKey, `Bearer ${nearly}`, `Bearer ${apiKey}0`];
  const cookies = ['flow_session=x; flow_csrf=x', `flow_session=${apiKey}`, 'flow_csrf=x'];
  const strangers: Record<string, string>[] = [
    {},
    ...texts.map((authorization) => ({ authorization })),
    ...cookies.map((cookie) => ({ cookie, 'x-service-csrf': 'x' })),
  ];
  for (const { endpoint, path, name } of guardedEndpoints) {
    for (const headers of strangers) {
      const response = await apiOf(app.baseUrl, null).raw(endpoint.method, path, { headers });
      t.is(response.status, 401, `${name} with ${JSON.stringify(headers)}`);
      t.regex(String(response.error.message), /^Authentication required/);
      const error = /^Bearer ./.test(headers['authorization'] ?? '') ? ', error="invalid_token"' : '';
      t.is(response.headers.get('www-authenticate'), `Bearer realm="Runward"${error}`);
      t.is(response.headers.get('x-ratelimit-remaining'), '100000');
      t.true(isErrorBody(response, path));
      t.truthy(response.headers.get('x-request-id'));
    }
  }
});

test('every endpoint requires its scope, and the rejection names it', async (t) => {
  const org = await newOrganization(app);
  for (const scope of scopes) {
    const api = await org.key({ scopes: [scope] });
    for (const { endpoint, path, name } of keyEndpoints) {
      const response = await api.raw(endpoint.method, path);
      if (endpoint.access === 'authenticated') {
        t.is(response.status, 200, `${name} with ${scope}`);
      } else if (endpoint.access === scope) {
        t.not(response.status, 403, `${name} with ${scope}`);
        t.true(response.status < 500, `${name} with ${scope}: ${response.status}`);
      } else {
        t.is(response.status, 403, `${name} with ${scope}`);
        t.true(String(response.error.message).includes(endpoint.access), name);
      }
    }
  }
});

test('session-only endpoints reject every API key, whatever its scopes and plan', async (t) => {
  for (const plan of ['FREE', 'ENTERPRISE'] as const) {
    const { api } = await newOrganization(app, { plan });
    for (const { endpoint, path, name } of sessionOnlyEndpoints) {
      const response = await api.raw(endpoint.method, path);
      t.is(response.status, 401, name);
      t.is(
        response.error.message,
        'Authentication required: this endpoint requires a browser session; API keys are not accepted.',
      );
      t.true(isErrorBody(response, path));
    }
  }
});

test("a member's session may use every endpoint except those for administrators and those that need another plan", async (t) => {
  const org = await newOrganization(app, { plan: 'FREE' });
  const { session } = await addMember(app.baseUrl, await org.session());
  for (const { endpoint, path, name } of guardedEndpoints) {
    if (name === 'auth.logout') continue;
    const response = await session.raw(endpoint.method, path);
    if (endpoint.requires) {
      t.is(response.status, 402, name);
      t.like(response.error, { code: 'FEATURE_LOCKED', capability: endpoint.requires });
    } else if (endpoint.access === 'administrator') {
      await isRejected(t, response, 403, 'Only owners and admins of the organization may do this; ask one of them.');
      t.true(isErrorBody(response, path));
    } else t.true([200, 400, 404].includes(response.status), `${name}: ${response.status}`);
  }
});

test('every write of a session requires the CSRF token', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  for (const { endpoint, path, name } of guardedEndpoints) {
    if (endpoint.method === 'GET') continue;
    for (const token of ['', 'x', 'x'.repeat(43)]) {
      const response = await owner.raw(endpoint.method, path, { headers: { 'x-service-csrf': token } });
      await isRejected(
        t,
        response,
        403,
        'The CSRF token is missing or wrong; send the value of the cookie flow_csrf in the header x-service-csrf.',
      );
      t.true(isErrorBody(response, path), name);
    }
  }
  t.is((await owner.raw('GET', '/auth/session', { headers: { 'x-service-csrf': '' } })).status, 200);
});

test('every endpoint returns 402 to an API key if the plan does not include the API', async (t) => {
  for (const plan of ['FREE', 'PRO'] as const) {
    const { api } = await newOrganization(app, { plan });
    for (const { endpoint, path, name } of keyEndpoints) {
      const response = await api.raw(endpoint.method, path);
      t.is(response.status, 402, name);
      t.is(response.headers.get('x-ratelimit-remaining'), '100000', name);
      t.like(response.error, { code: 'FEATURE_LOCKED', capability: 'publicApi', error: 'Payment Required' });
      t.true(isErrorBody(response, path));
    }
  }
  const { api } = await newOrganization(app, { plan: 'BUSINESS' });
  t.is((await api.raw('GET', '/runs')).status, 200);
});

test('every endpoint with an id returns 404 for an unknown id and 400 for a malformed one', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  for (const { endpoint, path, name } of guardedEndpoints) {
    if (!endpoint.path.includes(':')) continue;
    const api = isSessionOnly(endpoint) ? owner : org.api;
    // A token is not an id: every unknown one is a 404.
    if (endpoint.params === undefined) {
      const malformed = await api.raw(endpoint.method, endpoint.path.replaceAll(/:\w+/g, 'not-an-id'));
      t.is(malformed.status, 400, name);
      t.true([malformed.error.message].flat().every((message) => message.endsWith('must be a UUID')));
    }
    if (isBinary(endpoint.body)) continue;
    if (isMultipart(endpoint.body)) continue;
    const needsInput = endpoint.body?.safeParse(undefined).success === false;
    if (needsInput || endpoint.query?.safeParse({}).success === false) continue;
    const unknown = await api.raw(endpoint.method, path);
    t.is(unknown.status, 404, name);
    t.true(isErrorBody(unknown, path));
  }
});

test('every endpoint rejects unknown query parameters and unexpected bodies', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  for (const { endpoint, path, name } of guardedEndpoints) {
    const api = isSessionOnly(endpoint) ? owner : org.api;
    const query = await api.raw(endpoint.method, `${path}?surprise=1`);
    t.is(query.status, 400, name);
    t.true(query.error.message.includes('surprise: unknown parameter; remove it'), name);
    if (endpoint.method === 'GET') continue;
    const body = await api.raw(endpoint.method, path, { body: { surprise: 1 } });
    t.is(body.status, 400, name);
  }
});

test('a revoked or expired key, or one of a deactivated member, is rejected at the next request', async (t) => {
  const org = await newOrganization(app);
  const works = async () => (await org.api.raw('GET', '/runs')).status;
  t.is(await works(), 200);

  const expired = await org.key({ scopes: ['runs:read'], expiresAt: new Date(Date.now() - 1000) });
  t.is((await expired.raw('GET', '/runs')).status, 401);
  const later = await org.key({ scopes: ['runs:read'], expiresAt: new Date(Date.now() + 60_000) });
  t.is((await later.raw('GET', '/runs')).status, 200);

  const setStatus = (status: string) =>
    app.provision.query('update users set status = $2 where id = $1', [org.ownerUserId, status]);
  await setStatus('DEACTIVATED');
  t.is(await works(), 401);
  await setStatus('ACTIVE');
  t.is(await works(), 200);
  await app.provision.query('update api_keys set revoked_at = now() where id = $1', [org.apiKeyId]);
  t.is(await works(), 401);
});
