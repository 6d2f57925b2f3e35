import { fail, json } from '@runward/testing/http-server';
import test, { type ExecutionContext } from 'ava';
import { isNotFound, RunwardError } from '../src/index.ts';
import { errorOf, id, newClient } from './support/client.ts';

/** A server whose lists have `pages` pages of two items. A cursor is a page number. */
function newList(t: ExecutionContext, pages: number) {
  return newClient(t, (res, { url }) => {
    const number = Number(new URL(url, 'http://x').searchParams.get('cursor') ?? 1);
    const hasMore = number < pages;
    const data = [{ id: `${number}a` }, { id: `${number}b` }];
    json(res, 200, { data, total: pages * 2, hasMore, nextCursor: hasMore ? String(number + 1) : null });
  });
}

test('an awaited list is its first page, requested once', async (t) => {
  const { runward, received } = await newList(t, 3);
  const list = runward.runs.list({ status: 'RUNNING' });
  const page = await list;
  t.like(page, { total: 6, hasMore: true, nextCursor: '2' });
  t.deepEqual(
    page.data.map((run) => run.id),
    ['1a', '1b'],
  );
  t.is(await list, page);
  t.is((await list.withResponse()).data, page);
  t.deepEqual(
    received.map(({ url }) => url),
    ['/runs?status=RUNNING'],
  );
});

test('an iterated list follows the cursors and keeps its filters and options', async (t) => {
  const { runward, received } = await newList(t, 3);
  const ids: string[] = [];
  for await (const run of runward.runs.list({ status: 'RUNNING', limit: 2 }, { headers: { 'x-trace': 'abc' } })) {
    ids.push(run.id);
  }
  t.deepEqual(ids, ['1a', '1b', '2a', '2b', '3a', '3b']);
  t.deepEqual(
    received.map(({ url }) => url),
    ['/runs?status=RUNNING&limit=2', '/runs?status=RUNNING&limit=2&cursor=2', '/runs?status=RUNNING&limit=2&cursor=3'],
  );
  t.true(received.every(({ headers }) => headers['x-trace'] === 'abc'));
});

test('a list requests nothing before it is used, and no page after its loop ends', async (t) => {
  const { runward, received } = await newList(t, 3);
  const list = runward.templates.tasks.list(id);
  await new Promise((resolve) => setTimeout(resolve, 20));
  t.is(received.length, 0);
  for await (const task of list) if (task.id === '1b') break;
  t.is(received.length, 1);
  for await (const task of list) if (task.id === '2a') break;
  t.is(received.length, 3, 'a second loop starts at the first page');
});

test('a list of one page sends one request', async (t) => {
  const { runward, received } = await newList(t, 1);
  t.is((await runward.users.list().toArray({ limit: 10 })).length, 2);
  t.is(received.length, 1);
});

test('pages() requests each page when it is needed', async (t) => {
  const { runward, received } = await newList(t, 3);
  const sizes: number[] = [];
  for await (const page of runward.runs.list().pages()) {
    sizes.push(page.data.length);
    t.is(received.length, sizes.length);
    if (sizes.length === 2) break;
  }
  t.deepEqual(sizes, [2, 2]);
  t.is(received.length, 2);
});

test('toArray stops at its limit, and rejects an invalid one', async (t) => {
  const { runward, received } = await newList(t, 3);
  const ids = async (limit: number) => (await runward.runs.list().toArray({ limit })).map((run) => run.id);
  t.deepEqual(await ids(2), ['1a', '1b']);
  t.is(received.length, 1);
  t.deepEqual(await ids(3), ['1a', '1b', '2a']);
  t.is(received.length, 3);
  t.is((await ids(1000)).length, 6);
  for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    await t.throwsAsync(ids(limit), { instanceOf: RunwardError, message: /whole number, 1 or more/ });
  }
  // @ts-expect-error -- JavaScript programs can leave the options out
  await t.throwsAsync(runward.runs.list().toArray(), {
    instanceOf: RunwardError,
    message: /toArray\(\{ limit: 1000 \}\)/,
  });
  t.is(received.length, 6);
});

test('a list starts at the cursor of its query', async (t) => {
  const { runward } = await newList(t, 3);
  const ids = (await runward.runs.list({ cursor: '3' }).toArray({ limit: 10 })).map((run) => run.id);
  t.deepEqual(ids, ['3a', '3b']);
});

test('a list rejects with the error of its first or of a later page', async (t) => {
  const { runward } = await newClient(t, (res, { url }) =>
    url.includes('cursor') ? fail(res, 404) : json(res, 200, { data: [{ id: 'a' }], nextCursor: 'n' }),
  );
  const ids: string[] = [];
  const loop = (async () => {
    for await (const run of runward.runs.list()) ids.push(run.id);
  })();
  t.true(isNotFound(await errorOf(loop)));
  t.deepEqual(ids, ['a']);
  t.is(await runward.runs.list({ cursor: 'x' }).catch(() => 'caught'), 'caught');
  let ended = 0;
  await t.throwsAsync(runward.runs.list({ cursor: 'x' }).finally(() => (ended += 1)));
  t.is(ended, 1);
});

test('a list whose server repeats a cursor rejects', async (t) => {
  const { runward, received } = await newClient(t, (res) => json(res, 200, { data: [{}], nextCursor: 'same' }));
  await t.throwsAsync(runward.runs.list().toArray({ limit: 100 }), { message: /never end/ });
  t.is(received.length, 2);
});

test('a page without a cursor is the last one', async (t) => {
  const { runward } = await newClient(t, (res) => json(res, 200, { data: [{}, {}], total: 2, hasMore: false }));
  t.is((await runward.runs.list().toArray({ limit: 100 })).length, 2);
});
