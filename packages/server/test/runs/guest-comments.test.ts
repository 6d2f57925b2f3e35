import { addMember } from '@runward/testing/members';
import { fieldsOf } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { createLink, newEmail, newFormTask, openLink } from '../support/form-links.ts';

const app = useSharedApp(test);

/** A guest with a link to a task, their comment and one of a member on this task. */
async function withComments() {
  const made = await newFormTask(app);
  const { org, taskId } = made;
  const { url } = await must(createLink(org.api, taskId, { email: newEmail(), name: 'Acme' }));
  const guest = await openLink(app, url);
  const params = { taskId };
  const own = await must(guest.api.call('runs.tasks', 'comment', { params, body: { text: 'Ours' } }));
  const other = await must(org.api.call('runs.tasks', 'comment', { params, body: { text: 'Theirs' } }));
  return { ...made, guest, own, other };
}

test('a guest edits and deletes their own comment, but not that of a member', async (t) => {
  const { org, run, taskId, guest, own, other } = await withComments();
  const { api } = guest;
  const params = { commentId: own.id };
  t.is((await must(api.call('runs.comments', 'get', { params }))).text, 'Ours');
  t.is((await must(api.call('runs.comments', 'update', { params, body: { text: 'Changed' } }))).text, 'Changed');
  const foreign = { params: { commentId: other.id } };
  const edit = await api.call('runs.comments', 'update', { ...foreign, body: { text: 'No' } });
  t.like(edit, { status: 403, error: { code: 'not_own_record' } });
  t.like(await api.call('runs.comments', 'delete', foreign), { status: 403, error: { code: 'not_own_record' } });
  t.is((await api.call('runs.comments', 'delete', { params })).status, 204);
  t.is((await api.call('runs.comments', 'get', { params })).status, 404);
  const left = await must(org.api.call('runs.tasks', 'comments', { params: { taskId } }));
  t.deepEqual(
    left.data.map(({ text }) => text),
    ['Theirs'],
  );
  t.is((await api.call('runs.comments', 'list', { params: { id: run.id } })).status, 403);
});

test('a guest reaches no comment on the run, on another task, or on a task that was taken from them', async (t) => {
  const { org, run, taskId, otherId, guest, own } = await withComments();
  const administrator = await org.session();
  const { id: assigneeId, session } = await addMember(app.baseUrl, administrator, { role: 'GUEST' });
  const comment = { text: 'Hidden' };
  const onRun = await must(org.api.call('runs.comments', 'create', { params: { id: run.id }, body: comment }));
  const onOther = await must(org.api.call('runs.tasks', 'comment', { params: { taskId: otherId }, body: comment }));
  const statuses = async (commentId: string, api = guest.api) => {
    const params = { commentId };
    const read = await api.call('runs.comments', 'get', { params });
    const edited = await api.call('runs.comments', 'update', { params, body: { text: 'No' } });
    return [read.status, edited.status, (await api.call('runs.comments', 'delete', { params })).status];
  };
  t.deepEqual(await statuses(onRun.id), [403, 403, 403]);
  t.deepEqual(await statuses(onOther.id), [403, 403, 403]);
  t.deepEqual(await statuses(own.id, session), [403, 403, 403], 'a guest without the task');
  await must(org.api.call('runs.tasks', 'setAssignee', { params: { taskId }, body: { assigneeId } }));
  t.deepEqual(await statuses(own.id), [403, 403, 403], 'the link has ended');
  const all = await must(org.api.call('runs.comments', 'list', { params: { id: run.id } }));
  t.is(all.total, 4);
});

test('the page of a form link edits and deletes the own comment, and keeps its mentions', async (t) => {
  const { org, taskId, guest, own } = await withComments();
  const { client } = guest;
  const page = await client.get(`/console/tasks/${taskId}`);
  t.is(page.html.match(/>Edit</g)?.length, 1);
  t.is(page.html.match(/>Delete</g)?.length, 1);
  const mentions = { userIds: [org.ownerUserId], groupIds: [] };
  const params = { commentId: own.id };
  await must(guest.api.call('runs.comments', 'update', { params, body: { mentions } }));

  const path = `/console/comments/${own.id}`;
  const form = await client.get(path);
  t.is(form.status, 200);
  const edited = await client.submit(path, { ...fieldsOf(form.html), text: 'By page' });
  t.is(edited.headers.get('location'), `/console/tasks/${taskId}?notice=commentEdited#comment-${own.id}`);
  t.like(await must(guest.api.call('runs.comments', 'get', { params })), { text: 'By page', mentions });
  const question = await client.get(`${path}/delete`);
  const deleted = await client.submit(`${path}/delete`, fieldsOf(question.html));
  t.is(deleted.headers.get('location'), `/console/tasks/${taskId}?notice=commentDeleted#comments`);
  t.is((await guest.api.call('runs.comments', 'get', { params })).status, 404);
});
