import { mayCall, statusOf, userRoles, type UserRole } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import test from 'ava';
import { fingerprints } from '../support/database/rows.ts';
import { callOf, examplesOf, prepare, send } from '../support/sweep/calls.ts';
import { guardedEndpoints, needsQuery, type NamedEndpoint } from '../support/sweep/endpoints.ts';
import { newWorld, type Ids } from '../support/world/world.ts';

const app = useApp(test, { retrySchedule: [0] });
const stack = new AsyncDisposableStack();
test.after.always(() => stack.disposeAsync());

const ofRole =
  /^(Members with the role [A-Z]+ may not do this|Only owners and admins of the organization may do this); /;

/** What concerns only the caller, such as their sessions. */
const isOwn = ({ endpoint: { access } }: NamedEndpoint) => access === 'session' || access === 'authenticated';

/**
 * What viewers see without a grant: members, public portals, and what a token of a share opens to everyone who has it.
 */
const isOpen = ({ name, endpoint }: NamedEndpoint) =>
  endpoint.access === 'users:read' || ['sharedTemplates.preview', 'portals.me', 'portals.view'].includes(name);

/** Endpoints whose example changes who the caller is. */
const endsSession = new Set(['auth.logout', 'auth.changePassword', 'auth.endSession']);

async function makeMembers() {
  const { url: receiverUrl } = stack.use(await startReceiver());
  const org = await newOrganization(app);
  const world = await newWorld(app, org, receiverUrl);
  const sessions = new Map<UserRole, Api>();
  for (const role of userRoles) {
    const member = await addMember(app.baseUrl, await org.session(), { role });
    sessions.set(role, member.session);
  }
  return { org, world, sessions };
}

let made: ReturnType<typeof makeMembers> | undefined;
/** One of everything, and a session of a member of each role. Nothing is granted or assigned to any of them. */
const members = () => (made ??= makeMembers());

test.serial('every endpoint rejects the sessions of all roles that may not call it, and changes nothing', async (t) => {
  const { world, sessions } = await members();
  const before = await fingerprints(app.database);
  const rejected = new Map<UserRole, number>();
  for (const each of guardedEndpoints) {
    for (const [role, api] of sessions) {
      if (mayCall(role, each.endpoint)) continue;
      for (const example of examplesOf(each)) {
        const { status, error } = await send(api, each, callOf(each, example, world.ids, world));
        t.is(status, 403, `${each.name} as ${role}: ${JSON.stringify(error)}`);
        t.regex(String(error.message), ofRole, `${each.name} as ${role}`);
        rejected.set(role, (rejected.get(role) ?? 0) + 1);
      }
    }
  }
  t.deepEqual(await fingerprints(app.database), before);
  t.true((rejected.get('MEMBER') ?? 0) >= 20, 'members are rejected where only administrators may');
  t.true((rejected.get('GUEST') ?? 0) > (rejected.get('VIEWER') ?? 0));
});

test.serial('guests and viewers without grants see nothing of the organization in what they may call', async (t) => {
  const { world, sessions } = await members();
  const before = await fingerprints(app.database);
  const hidden = Object.entries(world.ids).filter(([kind]) => !['member', 'owner', 'group'].includes(kind));
  const tells = (body: unknown) => hidden.filter(([, id]) => JSON.stringify(body ?? null).includes(id));
  for (const role of ['GUEST', 'VIEWER'] as const) {
    const api = sessions.get(role) as Api;
    for (const each of guardedEndpoints) {
      if (!mayCall(role, each.endpoint) || isOwn(each) || isOpen(each)) continue;
      for (const example of [...examplesOf(each), ...(needsQuery(each) ? [] : [{}])]) {
        const what = `${each.name} as ${role}`;
        const call = callOf(each, example, world.ids, world);
        const answer = await send(api, each, call);
        const sent = JSON.stringify(call);
        // What the caller has sent may be repeated in the message of an error.
        const told = tells(answer.body).filter(([, id]) => !sent.includes(id));
        t.deepEqual(told, [], what);
        const namesRecord = Object.keys(call.params).length > 0;
        if (namesRecord) t.true([400, 403, 404].includes(answer.status), `${what}: ${answer.status}`);
        else if (answer.status < 300) t.true(isEmpty(answer.body), `${what}: ${JSON.stringify(answer.body)}`);
      }
    }
  }
  // Viewers keep views of their own.
  t.deepEqual({ ...(await fingerprints(app.database)), saved_views: null }, { ...before, saved_views: null });
});

/**
 * Whether a response lists and counts nothing: JSON, a CSV of figures or of records, or a PDF, which is not looked
 * into.
 */
function isEmpty(body: unknown): boolean {
  if (typeof body === 'string') {
    if (body.startsWith('section,')) return !/,(?:total|started|byStatus\.\w+),[1-9]/.test(body);
    return body.startsWith('%PDF') || body.trimEnd().split('\r\n').length === 1;
  }
  return !/"(?:total|processed|RUNNING|PENDING)":[1-9]/.test(JSON.stringify(body ?? null));
}

test.serial('a guest to whom a task is assigned may do all that guests may, with this task', async (t) => {
  const { org, world } = await members();
  const own = guardedEndpoints.filter(({ endpoint }) => endpoint.guests === true);
  t.true(own.length >= 25);
  const administrator = await org.session();
  const guest = await addMember(app.baseUrl, administrator, { role: 'GUEST' });
  const assignTo = async (runTask: string) => {
    const params = { taskId: runTask };
    await must(world.api.call('runs.tasks', 'setAssignee', { params, body: { assigneeId: guest.id } }));
  };
  await assignTo(world.ids.runTask);
  for (const each of own.filter(({ name }) => !endsSession.has(name) && !others.has(name))) {
    for (const example of examplesOf(each)) {
      const ids: Ids = await prepare(example, world);
      if (ids.runTask !== world.ids.runTask) await assignTo(ids.runTask);
      const call = callOf(each, example, ids, world);
      const answer = await send(guest.session, each, call);
      const isAllowed = answer.status === statusOf(each.endpoint);
      if (notWithTask(each, call.query)) t.is(answer.status, 403, each.name);
      else t.true(isAllowed, `${each.name} ${JSON.stringify(call)}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }
});

/** They depend on who has filled in the form or written the comment; see roles.test.ts and guest-comments.test.ts. */
const others = new Set([
  'runs.tasks.approve',
  'runs.tasks.reject',
  'runs.comments.get',
  'runs.comments.update',
  'runs.comments.delete',
]);

/** Filters that name more than one task, or values that guests may not see. */
function notWithTask({ name }: NamedEndpoint, query: Readonly<Record<string, string>>): boolean {
  if (name === 'files.list' && !('executionEntryId' in query)) return true;
  return ['templateId', 'runId', 'values'].some((filter) => filter in query);
}
