import { statusOf } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { acceptsIfMatch } from '../../src/http/preconditions.ts';
import { isRejected } from '../support/expect-rejection.ts';
import { callOf, examplesOf, prepare, send } from '../support/sweep/calls.ts';
import { guardedEndpoints } from '../support/sweep/endpoints.ts';
import { callerOf, newWorld } from '../support/world/world.ts';

const app = useSharedApp(test);

/** A body without signed URLs, which differ between two reads of an unchanged record. */
const withoutUrls = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (name, value) => (name === 'url' || name === 'expiresAt' ? null : value)));

test('every versioned read returns 304 for its current ETag, and 200 for another', async (t) => {
  await using receiver = await startReceiver();
  const world = await newWorld(app, await newOrganization(app), receiver.url);
  for (const each of guardedEndpoints.filter(({ endpoint }) => endpoint.versioned && endpoint.method === 'GET')) {
    const call = callOf(each, examplesOf(each)[0] ?? {}, world.ids, world);
    const read = (headers = {}) => send(callerOf(world, each.endpoint), each, call, headers);
    const first = await read();
    const etag = first.headers.get('etag') ?? '';
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, body, headers } = await read({ 'if-none-match': tag });
      t.deepEqual([status, body, headers.get('etag')], [304, undefined, etag], `${each.name} ${tag}`);
      for (const name of ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
        t.truthy(headers.get(name), `${each.name} ${name}`);
    }
    const changed = await read({ 'if-none-match': '"other"' });
    t.deepEqual([changed.status, withoutUrls(changed.body)], [200, withoutUrls(first.body)], each.name);
  }
});

test('every versioned write returns 412 for an old version and 400 for anything but one strong tag', async (t) => {
  await using receiver = await startReceiver();
  const world = await newWorld(app, await newOrganization(app), receiver.url);
  for (const each of guardedEndpoints.filter(({ endpoint }) => acceptsIfMatch(endpoint))) {
    for (const example of examplesOf(each)) {
      const call = callOf(each, example, await prepare(example, world), world);
      const write = (tag: string) => send(callerOf(world, each.endpoint), each, call, { 'if-match': tag });
      const { status, error } = await write('"old"');
      t.is(status, 412, `${each.name}: ${JSON.stringify(error)}`);
      t.is(error.error, 'Precondition Failed');
      t.is(error.code, 'precondition_failed');
      t.regex(
        String(error.message),
        /^The [a-z ]+ has changed since version old; read it again and repeat the request with its new ETag\.$/,
      );
      for (const tag of ['', 'old', 'W/"old"', '"old", "older"', '""', '"o"ld"', '"o ld"']) {
        const message = 'If-Match: must be one ETag of an earlier response, like "12", or *; weak tags are rejected.';
        await isRejected(t, write(tag), 400, message);
      }
      t.is((await write('*')).status, statusOf(each.endpoint), each.name);
    }
  }
});

test('every other write rejects If-Match, and reads ignore it', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  for (const { endpoint, path, name } of guardedEndpoints.filter((each) => !acceptsIfMatch(each.endpoint))) {
    const { status, error } = await owner.raw(endpoint.method, path, { headers: { 'if-match': '"1"' } });
    const isRejected = error?.message === 'If-Match: this endpoint does not check versions; remove the header.';
    const isRead = endpoint.method === 'GET' || endpoint.effect === 'read';
    t.is(isRejected, !isRead, `${name}: ${status} ${JSON.stringify(error)}`);
  }
});

test('of concurrent writes with the same If-Match one succeeds, and its response has the next version', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const before = await must(owner.call('organization', 'get'));
  const rename = (name: string, version: string) =>
    owner.raw('PATCH', '/organization', { body: { name }, headers: { 'if-match': `"${version}"` } });
  const names = ['A', 'B', 'C', 'D'];
  const responses = await Promise.all(names.map((name) => rename(name, before.version)));
  t.is(responses.filter(({ status }) => status === 412).length, 3);
  const [winner = before] = responses.filter(({ status }) => status === 200).map(({ body }) => body as typeof before);
  t.not(winner.version, before.version);
  t.deepEqual(await must(owner.call('organization', 'get')), winner);
  t.is((await rename('E', winner.version)).status, 200);
});
