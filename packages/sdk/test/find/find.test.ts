import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import {
  choose,
  find,
  findId,
  findRowId,
  findRunId,
  findTask,
  isFindError,
  similar,
  type FindError,
  type Naming,
} from '../../src/find/index.ts';
import { createClient } from '../../src/index.ts';
import { errorOf } from '../support/client.ts';

const app = useSharedApp(test);

async function newClient() {
  const { api, apiKey, session } = await newOrganization(app);
  const newGroup = async (name: string) => must((await session()).call('groups', 'create', { body: { name } }));
  return { api, newGroup, runward: createClient({ baseUrl: app.baseUrl, apiKey }) };
}

/** The error of a lookup that finds nothing, or too much. */
async function missing(lookup: PromiseLike<unknown>): Promise<FindError> {
  const error = await errorOf(lookup);
  if (!isFindError(error)) throw error;
  return error;
}

test('a record is found by its id and its exact name, and by its name in another case if no name is exact', async (t) => {
  const { runward, newGroup } = await newClient();
  const [lower, upper] = [await newGroup('legal'), await newGroup('Legal')];
  t.is(await findId(runward, 'group', ' Legal '), upper.id);
  t.is(await findId(runward, 'group', 'legal'), lower.id);
  t.is(await findId(runward, 'group', lower.id.toUpperCase()), lower.id);
  const several = await missing(findId(runward, 'group', 'LEGAL'));
  t.is(several.reason, 'several');
  t.deepEqual(
    several.messages.toSorted(),
    [
      '"LEGAL" fits several groups; use the ID of one:',
      ...[`${lower.id}  legal`, `${upper.id}  Legal`].toSorted(),
    ].toSorted(),
  );
});

test('a record is found by the start of its name in upper case, also in Greek, and by its name with combining marks', (t) => {
  const naming: Naming<string> = {
    noun: 'member',
    relation: 'has the name',
    idOf: () => '',
    namesOf: (name) => [name],
    byStart: true,
  };
  t.is(choose(['Κώστας', 'Zo\u00EB'], 'ΚΏΣ', naming), 'Κώστας');
  t.is(choose(['Κώστας', 'Zo\u00EB'], 'ZOE\u0308', naming), 'Zo\u00EB');
});

test('an unknown name is an error with the nearest names, with all names of a few, or with none', async (t) => {
  const { runward, newGroup } = await newClient();
  for (const name of ['Offboarding', 'Onboarding', 'Leave']) await runward.folders.create({ name });
  await newGroup('Legal');
  const near = await missing(find(runward, 'folder', 'onbording'));
  t.like(near, { noun: 'folder', reason: 'none', suggests: true });
  t.is(near.message, 'No folder is named "onbording". Did you mean "Onboarding"?');
  t.like(await missing(find(runward, 'folder', 'xyz')), { message: 'No folder is named "xyz".', suggests: false });
  t.regex(
    (await missing(find(runward, 'group', 'xyz'))).message,
    /^No group is named "xyz"\. The groups are: "Legal"\.$/,
  );
});

test('a template that is archived is found if no other has its name', async (t) => {
  const { runward } = await newClient();
  const old = await runward.templates.create({ name: 'Onboarding' });
  await runward.templates.archive(old.id);
  t.is((await find(runward, 'template', 'onboarding')).id, old.id);
  const draft = await runward.templates.create({ name: 'Onboarding' });
  t.is((await find(runward, 'template', 'onboarding')).id, draft.id);
  const second = await runward.templates.create({ name: 'Onboarding' });
  const { messages } = await missing(find(runward, 'template', 'Onboarding'));
  t.deepEqual(messages.slice(1), [`${second.id}  Onboarding (DRAFT)`, `${draft.id}  Onboarding (DRAFT)`]);
});

test('members, and parts of templates, data sources and portals, are found by what people call them', async (t) => {
  const { runward } = await newClient();
  const [member] = (await runward.users.list()).data;
  t.is(await findId(runward, 'member', member?.email.toUpperCase() ?? ''), member?.id ?? '');
  t.is(await findId(runward, 'member', member?.name ?? ''), member?.id ?? '');
  t.regex(
    (await missing(findId(runward, 'member', 'x@y.example'))).message,
    /^No active member has the email address or/,
  );

  const template = await runward.templates.create({ name: 'Order' });
  const task = await runward.templates.tasks.create(template.id, { title: 'Buy' });
  const phase = await runward.templates.phases.create(template.id, { name: 'First' });
  const variable = await runward.templates.variables.create(template.id, { key: 'city' });
  t.is(await findId(runward, 'templateTask', 'buy', template.id), task.id);
  t.is(await findId(runward, 'phase', 'first', template.id), phase.id);
  t.is(await findId(runward, 'variable', 'City', template.id), variable.id);
  await runward.templates.publish(template.id);
  t.is((await find(runward, 'version', '1', template.id)).number, 1);

  const source = await runward.dataSources.create({ name: 'Suppliers', columns: ['Name'] });
  t.is(await findId(runward, 'dataSource', 'suppliers'), source.id);
  t.is(await findId(runward, 'column', 'name', source.id), source.columns[0]?.id ?? '');

  const portal = await runward.portals.create({ name: 'Help', slug: `help-${source.id.slice(-12)}` });
  const page = await runward.portals.pages.create(portal.id, { title: 'Overview', slug: 'overview' });
  t.is((await find(runward, 'portal', portal.slug)).id, portal.id);
  t.is((await find(runward, 'page', page.id, portal.id)).slug, 'overview');
  t.is(
    (await missing(find(runward, 'page', 'overvew', portal.id))).message,
    'No page has the slug "overvew". Did you mean "overview"?',
  );
});

test('a run is found by its id, public id and title, by a part of its id, and archived if no other fits', async (t) => {
  const { api, runward } = await newClient();
  const { templateId } = await publishProcess(api, [{ title: 'Only' }]);
  const run = await launchRun(api, templateId, { title: 'Pens' });
  for (const text of [run.id.toUpperCase(), run.publicId.toLowerCase(), 'pens', run.id.slice(-12)]) {
    t.is(await findRunId(runward, text), run.id, text);
  }
  await must(api.call('runs', 'cancel', { params: { id: run.id } }));
  await must(api.call('runs', 'archive', { body: { runIds: [run.id] } }));
  t.is(await findRunId(runward, 'Pens'), run.id);
  t.is(await findRunId(runward, run.publicId), run.id);
  // A title that looks like a part of an id is a title.
  const hex = await launchRun(api, templateId, { title: run.id.slice(0, 8) });
  t.is(await findRunId(runward, run.id.slice(0, 8)), hex.id);

  const [one, two] = [
    await launchRun(api, templateId, { title: 'pens' }),
    await launchRun(api, templateId, { title: 'pens' }),
  ];
  const { messages } = await missing(findRunId(runward, 'PENS'));
  t.deepEqual(
    messages.slice(1),
    [two, one].map(({ id, publicId }) => `${id}  pens (${publicId}, RUNNING)`),
  );
  t.is((await missing(findRunId(runward, 'pen'))).reason, 'none');
  t.regex((await missing(findRunId(runward, 'pnes'))).message, /^No run has the title "pnes"\. Did you mean "pens"/);
  t.regex((await missing(findRunId(runward, 'RUN-22222222'))).message, /^No run has the ID RUN-2/);
});

test('a row is found by its label, and a task by its title, or the start of it on request', async (t) => {
  const { runward } = await newClient();
  const source = await runward.dataSources.create({ name: 'Suppliers', columns: ['Name', 'Parent'] });
  const [column, parent] = source.columns;
  const dataSource = { dataSourceId: source.id, labelColumnId: column?.id ?? '', autoFill: [] };
  const { id } = await runward.templates.create({ name: 'Order' });
  const task = await runward.templates.tasks.create(id, { title: 'Buy pens' });
  const field = await runward.templates.fields.create(id, task.id, {
    key: 'supplier',
    label: 'Supplier',
    type: 'DATA_SOURCE',
    dataSource,
  });
  await runward.templates.publish(id);
  const row = await runward.dataSources.rows.create(source.id, { cells: { [column?.id ?? '']: 'Acme' } });
  t.is(await findRowId(runward, field, 'acme'), row.id);
  const unknown = await missing(findRowId(runward, field, 'acm'));
  t.is(unknown.message, 'No row of "Supplier" is named "acm". Did you mean "Acme"?');
  const others = Array.from({ length: 25 }, (_, index) => ({
    cells: { [column?.id ?? '']: `A ${index}`, [parent?.id ?? '']: 'Acme' },
  }));
  await runward.dataSources.rows.bulkCreate(source.id, { rows: others });
  t.is(await findRowId(runward, field, 'acme'), row.id, 'others have it in another cell, and come before it');

  const other = { ...task, id: source.id, title: 'Buy paper' };
  const tasks = [task, other];
  t.is(findTask(tasks, 'BUY PENS'), task);
  t.is(findTask(tasks, source.id), other);
  t.is(findTask(tasks, 'buy pe', { byStart: true }), task);
  t.throws(() => findTask(tasks, 'buy pe'), { message: 'No task has the title "buy pe". Did you mean "Buy pens"?' });
  t.throws(() => findTask(tasks, 'buy', { byStart: true }), { message: /^"buy" fits several tasks/ });
});

test('names that contain a text or are a few letters apart are similar, the nearest first', (t) => {
  t.deepEqual(similar('onbording', ['Offboarding', 'Onboarding', 'Leave']), ['Onboarding']);
  t.deepEqual(similar('titel', ['title', 'tasks']), ['title']);
  t.deepEqual(similar('board', ['Onboarding', 'Boards', 'Leave']), ['Boards', 'Onboarding']);
  t.deepEqual(similar('onbording', ['Employee onboarding', 'Leave']), ['Employee onboarding']);
  t.deepEqual(similar('7', ['1', '2']), []);
  t.deepEqual(similar('xyz', ['Onboarding', 'Leave']), []);
});
