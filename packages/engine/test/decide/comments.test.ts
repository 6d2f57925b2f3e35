import { lastWorkAt, type StoredComment } from '@runward/engine';
import test from 'ava';
import { at } from '../support/calendar.ts';
import { processOf, task } from '../support/documents.ts';
import { begin } from '../support/run.ts';

const content = { text: 'Who has the key?', userIds: ['grace'], groupIds: ['drivers'] };
const stored: StoredComment = { ...content, id: 'comment', runTaskId: 'pack', authorUserId: 'ada' };
const add = { type: 'addComment', commentId: 'comment', runTaskId: null, ...content } as const;
const document = processOf([task('pack')]);

test('a comment on a run or a task is a fact, and does not change the run', (t) => {
  const run = begin(document);
  const before = run.state;
  t.deepEqual(run.does(add), ['comment.created']);
  t.like(run.facts.at(-1), { commentId: 'comment', runTaskId: null, ...content });
  t.deepEqual(run.does({ ...add, runTaskId: 'pack' }), ['comment.created']);
  t.is(run.state, before);
  t.is(lastWorkAt(run.facts), at('10:00'), 'a comment is work');
});

test('a run that has ended and is archived can be commented on, without any consequence', (t) => {
  const run = begin(document);
  run.does({ type: 'cancel' });
  run.does({ type: 'archive' });
  const before = run.state;
  t.deepEqual(run.does({ ...add, runTaskId: 'pack' }), ['comment.created']);
  t.is(run.state, before);
});

test('a comment on a task that the run does not have is rejected', (t) => {
  t.is(begin(document).rejects({ ...add, runTaskId: 'gone' }).code, 'validation_failed');
});

test('a comment can be edited by its author only, and an edit that changes nothing is no fact', (t) => {
  const run = begin(document);
  const edit = { type: 'editComment', comment: stored, ...content } as const;
  t.deepEqual(run.does({ ...edit, userId: 'ada', text: 'I have it.' }), ['comment.edited']);
  t.like(run.facts.at(-1), { commentId: 'comment', runTaskId: 'pack', text: 'I have it.', userIds: ['grace'] });
  t.deepEqual(run.does({ ...edit, userId: 'ada' }), []);
  t.deepEqual(run.rejects({ ...edit, userId: 'grace', text: 'No.' }), {
    code: 'not_own_record',
    message: 'You can only edit your own comments; ask its author to edit it.',
  });
});

test('a comment can be deleted by its author, and by a member who moderates', (t) => {
  const run = begin(document);
  const remove = { type: 'deleteComment', comment: stored, moderates: false } as const;
  t.deepEqual(run.does({ ...remove, userId: 'ada' }), ['comment.deleted']);
  t.like(run.facts.at(-1), { commentId: 'comment', runTaskId: 'pack' });
  t.deepEqual(run.does({ ...remove, userId: 'grace', moderates: true }), ['comment.deleted']);
  t.is(run.rejects({ ...remove, userId: 'grace' }).code, 'not_own_record');
});
