import { gzipSync } from 'node:zlib';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import { cheapPasswords } from '@runward/testing/passwords';
import type { Bench, Figure, Part } from '../harness/part.ts';
import { timeEach } from '../harness/times.ts';
import { completeRun } from '../seed/complete-run.ts';
import { startOn } from '../seed/many-runs.ts';

const email = 'owner@bench.example';
const password = 'benchmark of pages';
/** A form writes two lines of activity per value, one when it is opened and one when it is completed. */
const fieldsPerTask = 4;

/** Gets a page as the member who has signed in. */
type Get = (path: string) => Promise<string>;

/**
 * The pages of the console for the owner of 100,000 runs of five tasks, and the page of a run of 500 with over 5,000
 * lines of activity: how long each takes, one at a time, and how much a browser loads for the first one.
 */
export const consolePages: Part = {
  name: 'console',
  needs: 'nothing',
  measure: async (bench) => {
    const { isQuick } = bench.profile;
    const { service, api } = await startOn(bench, 'console', { runs: isQuick ? 20_000 : 100_000, tasks: 5 });
    const get = await signIn(bench, service.url);
    const paths = await pathsOf(get);
    const tasks = isQuick ? 50 : 500;
    const largeRun = `/console/runs/${await completeRun(api, tasks, fieldsPerTask)}`;
    const figures: Figure[] = [];
    for (const path of [...paths, largeRun]) {
      const times = await timeEach(isQuick ? 10 : 60, () => get(path));
      const what = path === largeRun ? `a run of ${tasks} tasks` : path.replace(/[\w-]{36}/, ':id');
      figures.push({ name: `${what}, ms`, ...times, aim: 'p95 <= 100' });
    }
    const kilobytes = (await firstLoad(get)) / 1_000;
    return {
      figures: [...figures, { name: '/console/tasks with its files, kB compressed', max: kilobytes, aim: '<= 60' }],
    };
  },
};

/** The pages, with the first record of each list. */
async function pathsOf(get: Get): Promise<string[]> {
  const first = async (list: string, record: RegExp) => record.exec(await get(list))?.[0] ?? list;
  return [
    '/console',
    '/console/tasks',
    await first('/console/tasks', /\/console\/tasks\/[\w-]{36}/),
    '/console/runs',
    '/console/runs?statuses=OVERDUE&search=number',
    await first('/console/runs', /\/console\/runs\/[\w-]{36}/),
    '/console/launch',
    await first('/console/launch', /\/console\/launch\/[\w-]{36}/),
    '/console/search?q=number',
    '/console/search?q=nothing+like+it',
    '/console/members',
    '/console/organization',
    '/console/account',
    '/console/webhooks',
    '/console/keys',
  ];
}

async function signIn({ postgres }: Bench, baseUrl: string): Promise<Get> {
  const hash = await cheapPasswords.hash(password);
  await withClient(postgres.url('console'), (client) =>
    client.query('update users set password_hash = $1 where email = $2', [hash, email]),
  );
  const response = await fetch(`${baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`Signing in returned ${response.status}.`);
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return async (path) => {
    const page = await fetch(`${baseUrl}${path}`, { headers: { cookie }, redirect: 'manual' });
    const body = Buffer.from(await page.arrayBuffer());
    if (page.status !== 200) throw new Error(`GET ${path} returned ${page.status}.`);
    return path.startsWith('/assets/') ? body.toString('latin1') : body.toString();
  };
}

/** Bytes of the inbox and of the files that it refers to, compressed as they can be. */
async function firstLoad(get: Get): Promise<number> {
  const page = await get('/console/tasks');
  let bytes = gzipSync(page).length;
  for (const [path] of page.matchAll(/\/assets\/[^"]+/g)) {
    const file = Buffer.from(await get(path), 'latin1');
    bytes += path.endsWith('.woff2') ? file.length : gzipSync(file, { level: 9 }).length;
  }
  return bytes;
}
