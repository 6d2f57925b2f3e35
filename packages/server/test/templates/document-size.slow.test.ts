import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import test from 'ava';
import { addTask, newTemplate, readTasks } from '../support/templates.ts';

const app = useApp(test, { limits: { documentBytes: 3_000 } });

const description = 'ä'.repeat(500);
const isTooLarge = /^The draft would take \d+ bytes as JSON, but a draft can take at most 3000; shorten its texts/;

test('a change that would make a draft larger than the limit is a 400, changes nothing and leaves others as they are', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  const first = await addTask(api, id, { title: 'First', description });
  const taskIds = [first.id, (await addTask(api, id, { title: 'Second' })).id];
  const before = await must(api.call('templates.draft', 'get', { params: { id } }));

  const rejected = [
    await api.call('templates.tasks', 'create', {
      params: { id },
      body: { title: 'Third', description: description.repeat(2) },
    }),
    await api.call('templates.tasks', 'bulkUpdate', {
      params: { id },
      body: { taskIds, changes: { description: description.repeat(2) } },
    }),
    await api.call('templates.draft', 'replace', {
      params: { id },
      body: { phases: [], variables: [], tasks: [{ title: 'Only', description: description.repeat(3) }] },
    }),
  ];
  const doubled = [];
  for (let time = 0; time < 3; time += 1) {
    doubled.push(await api.call('templates.tasks', 'bulkDuplicate', { params: { id }, body: { taskIds: [first.id] } }));
  }

  for (const answer of [...rejected, doubled.at(-1)]) {
    t.is(answer?.status, 400);
    t.regex(String(answer?.error.message), isTooLarge);
  }
  t.is(doubled[0]?.status, 201);
  t.is((await readTasks(api, id)).length, 2 + doubled.filter(({ status }) => status === 201).length);
  t.is(before.tasks.length, 2);
});

test('a draft that was larger before the limit can be read and made smaller, not larger, published or copied', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  const task = await addTask(api, id, { title: 'Long', description });
  await app.database.em
    .getConnection()
    .execute(
      `update templates set draft = jsonb_set(draft::jsonb, '{tasks,0,description}', to_jsonb(repeat('ä', 1900))) where id = ?`,
      [id],
    );

  t.is((await readTasks(api, id))[0]?.description?.length, 1_900);
  const update = (text: string) =>
    api.call('templates.tasks', 'update', { params: { id, taskId: task.id }, body: { description: text } });
  t.is((await update('ä'.repeat(1_901))).status, 400);
  for (const name of ['publish', 'duplicate'] as const) {
    const { status, error } = await api.call('templates', name, { params: { id }, body: {} });
    t.is(status, 400, name);
    t.regex(String(error.message), isTooLarge);
  }
  t.is((await update('ä'.repeat(1_800))).status, 200);
  t.is((await update('Short')).status, 200);
  t.is((await api.call('templates', 'publish', { params: { id }, body: {} })).status, 200);
});
