import { isDeepStrictEqual } from 'node:util';
import { scopes, statusOf, type BodyInput, type Contract } from '@runward/contract';
import type { ApiResponse, Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { getRun, must } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import test from 'ava';
import { fingerprints } from '../support/database/rows.ts';
import { callOf, examplesOf, prepare, send, type Call, totalOf } from '../support/sweep/calls.ts';
import { guardedEndpoints, isSessionOnly, needsQuery, type NamedEndpoint } from '../support/sweep/endpoints.ts';
import { idAt, kindOf, placesOf, withId } from '../support/sweep/id-positions.ts';
import { newWorld, type Ids, type World } from '../support/world/world.ts';

const app = useApp(test, { retrySchedule: [0] });
const stack = new AsyncDisposableStack();
test.after.always(() => stack.disposeAsync());

/** Every endpoint a key may call but those below one template, which template-access.test.ts is about. */
const endpoints = guardedEndpoints.filter(
  ({ endpoint }) => !isSessionOnly(endpoint) && !endpoint.path.startsWith('/templates/:id'),
);

/** What a reach does not narrow: members, and a field, which counts within its entry only. */
const unnarrowed = new Set<keyof Ids>(['field', 'fileField', 'member', 'owner', 'group', 'apiKey']);

/** Resource modes do not cover data sources (spec: Resource mode). */
const coversAll = ({ endpoint }: NamedEndpoint) => endpoint.path.startsWith('/data-sources');

/** What a key may read as anyone may: portals show it less data, not fewer pages. */
const ofReaders = new Set(['portals.me', 'portals.view']);

/**
 * What depends on who has made a record or has a task: the keys are of the owner, the member in a session is another.
 */
const ofAuthors = new Set([
  'me.tasks.list',
  'me.tasks.counts',
  'runs.comments.update',
  'runs.comments.delete',
  'savedViews.update',
  'savedViews.delete',
]);
const isApart = (mode: string, { name }: NamedEndpoint) => mode === 'GRANTED' && ofAuthors.has(name);

async function makeTwoSides() {
  const { url: receiverUrl } = stack.use(await startReceiver());
  const org = await newOrganization(app);
  const inside = await newWorld(app, org, receiverUrl);
  const outside = await newWorld(app, org, receiverUrl);
  for (const { ids, api } of [inside, outside]) await assignTasks(api, ids);
  const { template, folder } = inside.ids;
  const reaches = [
    { resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [template] },
    { resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: [folder] },
  ] as const;
  const keys = new Map<string, Api>();
  for (const resourceScope of reaches)
    keys.set(resourceScope.resourceMode, await org.key({ scopes, ...resourceScope }));
  // A member in a session, to whom one is granted directly and the other by a group.
  const administrator = await org.session();
  const member = await addMember(app.baseUrl, administrator, { resourceMode: 'GRANTED' });
  const grant = (body: BodyInput<Contract['grants']['create']>) =>
    must(administrator.call('grants', 'create', { body }));
  const group = { name: 'Granted', memberIds: [member.id] };
  const { id: groupId } = await must(administrator.call('groups', 'create', { body: group }));
  await grant({ userId: member.id, templateId: template });
  await grant({ groupId, folderId: folder });
  keys.set('GRANTED', member.session);
  return { org, inside, outside, keys };
}

/** Assigns the tasks of a run to the owner, one of them with a deadline. */
async function assignTasks(api: Api, { run, owner }: Ids) {
  const { tasks, byTitle } = await getRun(api, run);
  for (const { runTaskId: taskId } of tasks)
    await must(api.call('runs.tasks', 'setAssignee', { params: { taskId }, body: { assigneeId: owner } }));
  const params = { taskId: byTitle('First order').runTaskId };
  await must(api.call('runs.tasks', 'setDueDate', { params, body: { dueAt: '2099-01-01T00:00:00Z' } }));
}

let sides: ReturnType<typeof makeTwoSides> | undefined;
/**
 * One of everything inside and outside of the reach of two restricted keys of one organization. The last test changes
 * them.
 */
const twoSides = () => (sides ??= makeTwoSides());

/** Whether an answer tells of anything outside. */
function tellsOf(answer: ApiResponse<unknown>, ids: Ids): boolean {
  const text = JSON.stringify(answer.body);
  const kinds = (Object.keys(ids) as (keyof Ids)[]).filter((kind) => !unnarrowed.has(kind));
  return kinds.some((kind) => text.includes(ids[kind]));
}

/** Calls that succeed inside, each with something from outside in one place. */
function callsOutside(each: NamedEndpoint, inside: World, outside: Ids): Call[] {
  return examplesOf(each).flatMap((example) => {
    const call = callOf(each, example, inside.ids, inside);
    // Of a path all is from outside: a part is looked for below what it belongs to.
    const elsewhere: Call = { ...call, params: callOf(each, example, outside, inside).params };
    return placesOf(each.endpoint).flatMap((place) => {
      const id = idAt(call, place);
      const kind = id === undefined ? undefined : kindOf(inside.ids, id);
      if (kind === undefined || unnarrowed.has(kind) || place.part === 'query') return [];
      return place.part === 'params' ? [elsewhere] : withId(call, place, outside[kind]);
    });
  });
}

test.serial('a restricted key answers 403 for whatever belongs to a template outside its reach', async (t) => {
  const { inside, outside, keys } = await twoSides();
  const before = await fingerprints(app.database);
  const refusing = new Set<string>();
  for (const each of endpoints.filter((endpoint) => !coversAll(endpoint))) {
    for (const call of callsOutside(each, inside, outside.ids)) {
      for (const [mode, api] of keys) {
        if (isApart(mode, each)) continue;
        const what = `${each.name} ${JSON.stringify(call)}`;
        const { status, error } = await send(api, each, call);
        t.is(status, 403, `${what} answers ${JSON.stringify(error)}`);
        t.is(error.code, 'out_of_resource_scope', what);
        const start = `^(The API key's|Your) resource mode ${mode} does not (grant access to|allow) `;
        t.regex(String(error.message), new RegExp(start), what);
        refusing.add(each.name);
      }
    }
  }
  t.deepEqual(await fingerprints(app.database), before);
  t.true(refusing.size >= 29, `${refusing.size} endpoints were asked`);
});

test.serial('lists and counts show a restricted key nothing from outside its reach', async (t) => {
  const { org, inside, outside, keys } = await twoSides();
  for (const each of endpoints.filter((each) => !coversAll(each) && !needsQuery(each))) {
    const { name, endpoint } = each;
    if (endpoint.method !== 'GET' || endpoint.path.includes(':') || ofReaders.has(name)) continue;
    const call = { params: {}, query: {}, body: undefined };
    const all = await send(org.api, each, call);
    for (const [mode, api] of keys) {
      if (isApart(mode, each)) continue;
      const answer = await send(api, each, call);
      if (endpoint.access === 'users:read') {
        t.deepEqual(answer.body, all.body, name);
        continue;
      }
      const what = `${name} in ${mode}`;
      if (endpoint.access === 'authenticated') {
        t.false(tellsOf(answer, outside.ids), what);
        continue;
      }
      t.true(totalOf(answer) > 0 && totalOf(answer) < totalOf(all), what);
      t.false(tellsOf(answer, outside.ids), what);
      for (const example of examplesOf(each).filter(({ query }) => query)) {
        const filtered = (ids: Ids) => send(api, each, callOf(each, example, ids, inside));
        // Nothing is assigned to the member or the group, and no run has the public id.
        if (/"(?:assignee|publicId)/.test(JSON.stringify(example.query?.(inside.ids)))) continue;
        t.true(totalOf(await filtered(inside.ids)) > 0, `${what}, filtered`);
        const elsewhere = await filtered(outside.ids);
        const names = Object.keys(example.query?.(outside.ids) ?? {});
        // Some filters name no record, so they also match what is inside.
        const namesNothing = isDeepStrictEqual(example.query?.(outside.ids), example.query?.(inside.ids));
        if (names.includes('templateId') || names.includes('templateIds'))
          t.is(elsewhere.status, 403, `${what}, filtered`);
        else if (namesNothing) t.false(tellsOf(elsewhere, outside.ids), `${what}, filtered`);
        else t.is(totalOf(elsewhere), 0, `${what}, filtered`);
      }
    }
  }
});

test.serial('a restricted key finds a run by its public id only inside its reach', async (t) => {
  const { org, inside, outside, keys } = await twoSides();
  const found = async (api: typeof org.api, id: string) => {
    const { publicId } = await must(org.api.call('runs', 'get', { params: { id } }));
    return (await must(api.call('runs', 'list', { query: { publicId } }))).data.map((run) => run.id);
  };
  for (const [mode, api] of keys) {
    t.deepEqual(await found(api, inside.ids.run), [inside.ids.run], mode);
    t.deepEqual(await found(api, outside.ids.run), [], mode);
  }
  t.deepEqual(await found(org.api, outside.ids.run), [outside.ids.run]);
});

test.serial('a restricted key gets along inside its reach', async (t) => {
  const { inside, keys } = await twoSides();
  // What such a key may do with templates and folders themselves has tests of its own.
  const swept = endpoints.filter(
    ({ name, endpoint }) =>
      endpoint.method === 'GET' || !/^(templates\.|folders\.|sharedTemplates\.import$)/.test(name),
  );
  for (const each of swept) {
    for (const [mode, api] of keys) {
      if (isApart(mode, each)) continue;
      for (const example of examplesOf(each)) {
        const call = callOf(each, example, await prepare(example, inside), inside);
        const answer = await send(api, each, call);
        t.is(answer.status, statusOf(each.endpoint), `${each.name} in ${mode} answers ${JSON.stringify(answer.body)}`);
      }
    }
  }
});
