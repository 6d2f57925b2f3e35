import test from 'ava';
import * as fc from 'fast-check';
import { axisTo } from '../../src/analytics/axis.ts';

test('an axis ends at or above the largest value, in at most five parts of a round number of units', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), fc.constantFrom(1, 60, 3_600, 86_400), (most, unit) => {
      const { top, marks } = axisTo(most, unit);
      const [first, step = 0] = marks;
      t.deepEqual([first, marks.at(-1)], [0, top]);
      t.true(top >= most && top - step <= most);
      t.true(marks.length >= 2 && marks.length <= 6);
      t.regex(String(step / unit), /^[125]0*$/);
    }),
    { numRuns: 1_000 },
  );
});
