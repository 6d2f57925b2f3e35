import { json, startServer } from '@runward/testing/http-server';
import test from 'ava';
import { runCommand } from '../support/command.ts';

test('--max-stale says with every page how old records may be; without it, requests do not', async (t) => {
  const { baseUrl, received } = await startServer(t, (res, { url }) => {
    const isLast = url.includes('cursor');
    json(res, 200, { data: [], columns: [], total: 0, hasMore: !isLast, nextCursor: isLast ? null : 'next' });
  });
  const env = { RUNWARD_API_KEY: 'sk_live_TestOnly0123456789abcdef', RUNWARD_BASE_URL: baseUrl };
  const id = '0195f3a0-0000-7000-8000-000000000001';
  for (const command of [
    ['runs', 'list'],
    ['runs', 'list', '--view', id],
    ['tasks', 'list'],
    ['tasks', 'list', '--mine'],
  ]) {
    const before = received.length;
    t.is((await runCommand([...command, '--all', '--max-stale', '5'], { env })).code, 0, command.join(' '));
    const lists = received.slice(before).filter(({ url }) => url.includes('limit='));
    t.is(lists.length, 2);
    t.deepEqual([...new Set(lists.map(({ headers }) => headers['cache-control']))], ['max-stale=5']);
  }
  t.is((await runCommand(['runs', 'list'], { env })).code, 0);
  t.is(received.at(-1)?.headers['cache-control'], undefined);
  t.is((await runCommand(['runs', 'list', '--max-stale', 'x'], { env })).code, 2);
});
