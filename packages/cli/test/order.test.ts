import test from 'ava';
import { assert, property, shuffledSubarray, uniqueArray, integer } from 'fast-check';
import { moves } from '../src/template-file/order.ts';

const lists = uniqueArray(integer({ min: 0, max: 50 }), { maxLength: 9 }).chain((items) =>
  shuffledSubarray(items, { minLength: items.length }).map((target) => ({ items, target })),
);

test('the moves turn any order into any other, as the server applies them', (t) => {
  assert(
    property(lists, ({ items, target }) => {
      let list = items;
      for (const { item, position } of moves(items, target)) {
        list = list.filter((other) => other !== item).toSpliced(position, 0, item);
      }
      t.deepEqual(list, target);
    }),
  );
});

test('the number of moves is minimal', (t) => {
  t.deepEqual(moves([1, 2, 3], [1, 2, 3]), []);
  t.deepEqual(moves([1, 2, 3, 4, 5], [2, 3, 4, 5, 1]), [{ item: 1, position: 4 }]);
  t.deepEqual(moves([1, 2, 3, 4, 5], [5, 1, 2, 3, 4]), [{ item: 5, position: 0 }]);
  t.is(moves([1, 2, 3, 4, 5], [3, 5, 1, 2, 4]).length, 2);
});
