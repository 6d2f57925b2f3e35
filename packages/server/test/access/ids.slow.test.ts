import { randomUUID } from 'node:crypto';
import { scopes } from '@runward/contract';
import type { ApiResponse } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import test, { type ExecutionContext } from 'ava';
import { fingerprints } from '../support/database/rows.ts';
import { callOf, examplesOf, prepare, send, totalOf } from '../support/sweep/calls.ts';
import { guardedEndpoints, isSessionOnly, needsQuery } from '../support/sweep/endpoints.ts';
import { idAt, kindOf, placesOf, withId, type Place } from '../support/sweep/id-positions.ts';
import { callerOf, newWorld, type Ids, type World } from '../support/world/world.ts';

const app = useApp(test, { retrySchedule: [0] });
const stack = new AsyncDisposableStack();
test.after.always(() => stack.disposeAsync());

/** What is sent once. */
const bodies = ['passwordLinkToken', 'passkeyCreation', 'passkeySignIn'];
/** What nobody can delete; owners are deactivated like any member. */
const lasting = ['version', 'run', 'runTask', 'fieldValue', 'fileField', 'asset', 'mail', 'owner', ...bodies];

/** Deletes one of each kind that can be deleted; answers their ids. */
async function deletedIds(world: World): Promise<Partial<Ids>> {
  const deleted: Partial<Ids> = {};
  for (const each of guardedEndpoints.filter(({ endpoint }) => endpoint.method === 'DELETE')) {
    for (const example of examplesOf(each)) {
      const made = (await example.before?.(world)) ?? {};
      const call = callOf(each, example, { ...world.ids, ...made }, world);
      const { status } = await send(callerOf(world, each.endpoint), each, call);
      if (status !== 204) throw new Error(`${each.name} answered ${status}; let its example make what it deletes.`);
      // What is below a record, such as the accounts of a member, goes without it.
      if (/:\w+$/.test(each.endpoint.path)) Object.assign(deleted, made);
    }
  }
  return deleted;
}

/** Ids in a query that name a record that must exist; any other filter with an unknown id matches nothing. */
const readByQuery = new Set([
  'templateFieldId',
  'fieldId',
  'against',
  'templateVersionId',
  'templateId',
  'runId',
  'executionEntryId',
  'assetId',
]);

/** Filters of runs can name members who have left. */
const namesFormerMembers = /\b(ownerUserIds|assigneeIds)\[\]$/;

/** What a caller learns from a response to a call with these ids, besides the ids. */
function learned({ status, body }: ApiResponse<unknown>, ids: readonly string[]): { status: number; body: unknown } {
  const told = { ...(body as Record<string, unknown>), timestamp: undefined, path: undefined };
  return { status, body: JSON.parse(ids.reduce((text, id) => text.replaceAll(id, 'ID'), JSON.stringify(told))) };
}

/**
 * Holds an answer against the rules of the house: nothing there is a 404 in a path or a query that names it, a 400 in a
 * list of ids, an empty list in any other filter.
 */
function checkRefusal(
  t: ExecutionContext,
  { status, body, error }: ApiResponse<unknown>,
  { part, at }: Place,
  what: string,
) {
  const isList = at.endsWith('[]');
  if (part === 'query' && !readByQuery.has(at) && !isList) t.deepEqual([status, totalOf({ body })], [200, 0], what);
  else if (status === 404) t.regex(String(error.message), /^[A-Z][A-Za-z ]+ not found\.$/, what);
  else {
    t.deepEqual([part === 'query' && isList ? 'body' : part, status], ['body', 400], what);
    for (const message of [error.message].flat().filter((each) => !fillsTwice.test(each))) {
      t.true(message.includes(fieldOf(at)), `${what}: ${message}`);
    }
  }
}

/**
 * An item that is repeated with another column still fills the same field, which is rejected before the column is
 * looked up.
 */
const fillsTwice = /an earlier entry fills the field/;

/** The last name on the way to a place: `values[].runTaskFieldId` gives `runTaskFieldId`. */
function fieldOf(at: string): string {
  return /\w+(?=\[\]$|$)/.exec(at)?.[0] ?? at;
}

async function makeTwoWorlds() {
  const { url } = stack.use(await startReceiver());
  const world = await newWorld(app, await newOrganization(app), url);
  const stranger = await newWorld(app, await newOrganization(app), url);
  const deleted = await deletedIds(world);
  return { world, stranger, deleted, receiverUrl: url };
}

let worlds: ReturnType<typeof makeTwoWorlds> | undefined;
/**
 * Two organizations with one of everything, and what the first one deleted. The tests share them, because none changes
 * them.
 */
const twoWorlds = () => (worlds ??= makeTwoWorlds());

test.serial("another organization's id, a deleted and a made-up one look the same to every endpoint", async (t) => {
  const { world, stranger, deleted } = await twoWorlds();
  const kinds = Object.keys(world.ids) as (keyof Ids)[];
  t.deepEqual(kinds.filter((kind) => deleted[kind] === undefined).sort(), [...lasting].sort());
  const gone = { ...deleted, owner: deleted.member };
  let before = await fingerprints(app.database);

  for (const each of guardedEndpoints) {
    const { name, endpoint } = each;
    const api = callerOf(world, endpoint);
    for (const example of examplesOf(each)) {
      const ids = await prepare(example, world);
      const call = callOf(each, example, ids, world);
      if (example.before) before = await fingerprints(app.database);
      for (const place of placesOf(endpoint)) {
        const id = idAt(call, place);
        if (id === undefined) continue;
        const kind = kindOf(ids, id);
        const what = `${name} with another ${kind} at ${place.at}`;
        const ask = (other: string) =>
          Promise.all(
            withId(call, place, other).map(async (changed) => {
              const answer = await send(api, each, changed);
              checkRefusal(t, answer, place, what);
              return learned(answer, [other]);
            }),
          );
        const unknown = await ask(randomUUID());
        t.deepEqual(await ask(stranger.ids[kind]), unknown, what);
        // A deactivated member and a revoked share stay on their lists; a member can be made active again, and owns
        // runs. The audit log keeps what was done to records that are gone.
        const isThere =
          (place.part === 'params' && (kind === 'member' || kind === 'share')) ||
          namesFormerMembers.test(place.at) ||
          place.at === 'targetId';
        if (gone[kind] !== undefined && !isThere) t.deepEqual(await ask(gone[kind]), unknown, `${what}, deleted`);
      }
      t.deepEqual(await fingerprints(app.database), before, name);
    }
  }
});

test.serial("all ids of another organization's call, and of a deleted thing's, tell a caller nothing", async (t) => {
  const { world, stranger, deleted } = await twoWorlds();
  const { folder, template } = world.ids;
  const callers = [
    world.api,
    await world.org.key({ scopes, resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [template] }),
    await world.org.key({ scopes, resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: [folder] }),
  ];
  const made = (ids: Ids) => Object.fromEntries(Object.keys(ids).map((kind) => [kind, randomUUID()])) as unknown as Ids;
  const before = await fingerprints(app.database);

  for (const each of guardedEndpoints.filter(({ endpoint }) => placesOf(endpoint).length > 0)) {
    const { name, endpoint } = each;
    for (const api of isSessionOnly(endpoint) ? [world.session] : callers) {
      for (const example of examplesOf(each)) {
        const valid = callOf(each, example, world.ids, world);
        if (placesOf(endpoint).every((place) => idAt(valid, place) === undefined)) continue;
        const ask = async (ids: Ids) => {
          const call = callOf(each, example, ids, world);
          const answer = await send(api, each, call);
          if (placesOf(endpoint).some((place) => idAt(call, place) !== undefined && place.part !== 'query')) {
            t.true(answer.status >= 400 && answer.status < 500, `${name}: ${answer.status}`);
          }
          return learned(answer, Object.values(ids));
        };
        const unknown = await ask(made(world.ids));
        t.deepEqual(await ask(stranger.ids), unknown, name);
        const { member, share } = stranger.ids;
        t.deepEqual(
          await ask({ ...made(world.ids), ...deleted, member, owner: member, share }),
          unknown,
          `${name}, deleted`,
        );
      }
    }
  }
  t.deepEqual(await fingerprints(app.database), before);
});

test.serial('nothing that another organization does shows in any answer', async (t) => {
  const { world, receiverUrl } = await twoWorlds();
  const readAll = async () => {
    const answers: Record<string, unknown> = {};
    for (const each of guardedEndpoints.filter(({ endpoint }) => endpoint.method === 'GET')) {
      // The webhook has no secret of its own.
      if (each.name === 'webhooks.secret') continue;
      // Exports among these calls leave lines in the audit log, which the filter of its examples leaves out.
      const isFiltered = needsQuery(each) || each.name.startsWith('auditLog.');
      const [example = {}] = isFiltered ? examplesOf(each) : [];
      const call = callOf(each, example, world.ids, world);
      const { status, headers, body } = await send(callerOf(world, each.endpoint), each, call);
      t.is(status, 200, each.name);
      // A PDF says when it was made; its figures are those of other answers.
      if (headers.get('content-type') === 'application/pdf') continue;
      // A key is noted as used some time after its request; URLs to files and where a feed goes on depend on the time.
      const moves = new Set(['lastUsedAt', 'url', 'expiresAt', ...(each.name === 'events.list' ? ['after'] : [])]);
      answers[each.name] = JSON.parse(JSON.stringify(body, (name, value) => (moves.has(name) ? null : value)));
    }
    return answers;
  };
  const today = () => new Date().toISOString().slice(0, 10);
  // Figures are of the days up to today, so both are read on the same day.
  for (let day = ''; day !== today();) {
    day = today();
    const before = await readAll();
    await newWorld(app, await newOrganization(app), receiverUrl);
    const after = await readAll();
    if (day === today()) t.deepEqual(after, before);
  }
});

test.serial('people of another organization are nobody here, as owners and as values', async (t) => {
  const { api } = await newOrganization(app);
  const { ownerUserId, ownerEmail } = await newOrganization(app);
  const sketch = { title: 'Task', fields: [{ label: 'Buddy', type: 'USER' }] } as const;
  const { templateId, fields } = await publishProcess(api, [sketch]);
  const { runTaskId } = (await launchRun(api, templateId)).byTitle('Task');
  const { body: entry } = await api.call('execution', 'open', { body: { runTaskId } });
  const common = { executionEntryId: entry.id, runTaskFieldId: fields['buddy']?.id ?? '' };

  const asOwner = async (email: string) =>
    learned(await api.call('runs', 'launch', { body: { templateId, ownerEmail: email } }), [email]);
  const asValue = async (value: string) =>
    learned(await api.call('execution', 'submit', { body: { ...common, value } }), [value]);
  const unknown = [await asOwner('nobody@example.com'), await asValue(randomUUID())];
  t.deepEqual(
    unknown.map(({ status }) => status),
    [400, 400],
  );
  t.deepEqual([await asOwner(ownerEmail), await asValue(ownerUserId)], unknown);
});
