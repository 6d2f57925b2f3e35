import test from 'ava';
import { checkPortal } from '../checker/portal.ts';
import type { PortalChange, PortalVisit } from '../history/portal-history.ts';

const change = (from: number, to: number | null, edition: number | null): PortalChange => {
  return { from, to, edition, status: to === null ? null : 200 };
};
const visit = (from: number, edition: number | null, settings: Partial<PortalVisit> = {}): PortalVisit => {
  return { from, to: from + 5, edition, status: edition === null ? 404 : 200, isWhole: true, ...settings };
};

/** The portal is published as editions 1 and 2, unpublished, then published as edition 3. */
const changes = [change(10, 20, 1), change(50, 60, 2), change(100, 110, null), change(150, 160, 3)];

const rulesOf = (visits: readonly PortalVisit[], more: readonly PortalChange[] = []) =>
  checkPortal({ changes: [...changes, ...more], visits }).map(({ rule }) => rule);

test('a visitor may see what was published before, or what was being published meanwhile', (t) => {
  const before = [visit(1, null), visit(12, null), visit(12, 1), visit(30, 1)];
  const meanwhile = [visit(46, 1), visit(46, 2), visit(55, 1), visit(55, 2), visit(105, 2), visit(105, null)];
  t.deepEqual(rulesOf([...before, ...meanwhile, visit(120, null), visit(200, 3), visit(40, 2, { to: 300 })]), []);
  t.deepEqual(rulesOf([visit(300, 3), visit(300, 4)], [change(200, null, 4)]), [], 'without a response');
});

const planted: readonly (readonly [string, readonly PortalVisit[], readonly string[]])[] = [
  ['an edition that was replaced', [visit(61, 1)], ['stale page']],
  ['a portal that was unpublished', [visit(120, 2)], ['stale page']],
  ['an edition that was not published yet', [visit(30, 2)], ['stale page']],
  ['a page that is missing while the portal is published', [visit(70, null)], ['stale page']],
  ['an edition of no one', [visit(200, 9)], ['stale page']],
  ['a page with the wrong status', [visit(200, 3, { status: 404 })], ['wrong page']],
  ['a page that is cut off', [visit(200, 3, { isWhole: false })], ['wrong page']],
];

for (const [name, visits, rules] of planted) {
  test(`the checker detects ${name}`, (t) => {
    t.deepEqual(rulesOf(visits), rules);
  });
}

test('the checker detects that a publication was rejected', (t) => {
  t.deepEqual(rulesOf([], [{ ...change(200, null, 4), status: 400, message: 'no' }]), ['rejected']);
});
