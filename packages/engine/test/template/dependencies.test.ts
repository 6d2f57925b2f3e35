import test from 'ava';
import { dependencyProblems } from '../../src/template/dependencies.ts';
import { task } from '../support/documents.ts';

test('the dependencies of a task are checked with one pass over the tasks', (t) => {
  let reads = 0;
  const tasks = Array.from({ length: 100 }, (_, index) => {
    const { id, ...rest } = task(`${index}`);
    return {
      ...rest,
      get id() {
        reads += 1;
        return id;
      },
    };
  });
  const dependencies = [...Array.from({ length: 100 }, (_, index) => `task-${index}`), 'task-other'];
  t.deepEqual(dependencyProblems({ tasks }, { id: 'task-7', dependencies }), [
    '[7]: a task cannot depend on itself; remove its own id',
    '[100]: the template has no task task-other; use the id of one of its tasks',
  ]);
  t.is(reads, 100);
});
