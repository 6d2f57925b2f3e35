import test from 'ava';
import { checkAudit } from '../checker/audit.ts';
import { checkLinks } from '../checker/links.ts';
import { checkMembers } from '../checker/members.ts';
import type { AdminChange, AdminHistory } from '../history/admin-history.ts';

type Mutable<Value> = Value extends readonly (infer Item)[] ? { -readonly [Key in keyof Item]: Item[Key] }[] : Value;
type Admin = { -readonly [Key in keyof AdminHistory]: Mutable<AdminHistory[Key]> };

const ana = 'ana@administered.example';
const guest = 'guest@administered.example';
const other = 'other@administered.example';

const change = (
  action: AdminChange['action'],
  email: string,
  value: string | null,
  from: number,
  status: number | null = 200,
): AdminChange => {
  return { action, email, value, from, to: status === null ? null : from + 10, status };
};

const visit = (email: string, from: number, isOpened: boolean) => {
  return { email, from, to: from + 5, isOpened };
};

/**
 * A member with another role than at first, one grant, and one that was revoked; a link that was revoked, and one that
 * was not.
 */
function newHistory(): Admin {
  const changes = [
    change('user.created', ana, 'GUEST', 100, 201),
    change('grant.created', ana, 'template-1', 200, 201),
    change('grant.created', ana, 'template-2', 300, 201),
    change('grant.revoked', ana, 'template-1', 400, 204),
    change('user.updated', ana, 'VIEWER', 500),
    ...[guest, other].flatMap((email) => [
      change('user.created', email, 'GUEST', 100),
      change('form_link.created', email, null, 100),
    ]),
    change('form_link.revoked', guest, null, 500),
  ];
  return {
    changes,
    visits: [visit(guest, 200, true), visit(guest, 505, true), visit(guest, 511, false), visit(other, 900, true)],
    members: [
      { email: ana, role: 'VIEWER', templateIds: ['template-2'] },
      { email: guest, role: 'GUEST', templateIds: [] },
      { email: other, role: 'GUEST', templateIds: [] },
    ],
    links: [
      { email: guest, isRevoked: true },
      { email: other, isRevoked: false },
    ],
    lines: changes.map(({ action, email, value }) => ({ action, email, value })),
    brokenLog: null,
  };
}

const found = (history: Admin) =>
  [...checkMembers(history), ...checkLinks(history), ...checkAudit(history)].map(({ rule }) => rule).sort();

function violated(plant: (history: Admin) => void): string[] {
  const history = newHistory();
  plant(history);
  return found(history);
}

const memberOf = ({ members }: Admin, email: string) => {
  const member = members.find((each) => each.email === email);
  if (!member) throw new Error(`There is no member ${email}.`);
  return member;
};
const withoutLine = (it: Admin, action: string) =>
  (it.lines = it.lines.filter((line) => line.email !== ana || line.action !== action));

test('acknowledged changes that are there violate nothing', (t) => {
  t.deepEqual(found(newHistory()), []);
});

const unanswered: readonly (readonly [string, AdminChange, (history: Admin) => void])[] = [
  ['a role', change('user.updated', ana, 'MEMBER', 600, null), (it) => (memberOf(it, ana).role = 'MEMBER')],
  [
    'a grant',
    change('grant.created', ana, 'template-3', 600, null),
    (it) => (memberOf(it, ana).templateIds = ['template-2', 'template-3']),
  ],
  [
    'the end of a grant',
    change('grant.revoked', ana, 'template-2', 600, null),
    (it) => (memberOf(it, ana).templateIds = []),
  ],
  [
    'a member',
    change('user.created', 'new@administered.example', 'GUEST', 600, null),
    (it) => it.members.push({ email: 'new@administered.example', role: 'GUEST', templateIds: [] }),
  ],
  [
    'a link',
    change('form_link.created', 'new@administered.example', null, 600, null),
    (it) => it.links.push({ email: 'new@administered.example', isRevoked: false }),
  ],
  [
    'the revocation of a link',
    change('form_link.revoked', other, null, 600, null),
    (it) => (
      (it.links = it.links.map(({ email }) => ({ email, isRevoked: true }))),
      it.visits.push(visit(other, 950, false))
    ),
  ],
];

for (const [name, sent, apply] of unanswered) {
  test(`${name} without a response may or may not have taken effect`, (t) => {
    t.deepEqual(
      violated(({ changes }) => changes.push(sent)),
      [],
      'without an effect',
    );
    const effect = violated((it) => {
      it.changes.push(sent);
      it.lines.push({ action: sent.action, email: sent.email, value: sent.value });
      apply(it);
    });
    t.deepEqual(effect, [], 'with its effect');
  });
}

const planted: readonly (readonly [string, (history: Admin) => void, readonly string[]])[] = [
  ['an added member is missing', (it) => it.members.shift(), ['lost grant', 'lost role']],
  ['a member was added by nobody', (it) => it.members.push({ ...memberOf(it, ana), email: 'x' }), ['phantom']],
  ['a member has the role before the last one', (it) => (memberOf(it, ana).role = 'GUEST'), ['lost role']],
  ['a grant is missing', (it) => (memberOf(it, ana).templateIds = []), ['lost grant']],
  [
    'a revoked grant is there',
    (it) => (memberOf(it, ana).templateIds = ['template-1', 'template-2']),
    ['lost revocation'],
  ],
  ['a grant is there that nobody gave', (it) => (memberOf(it, guest).templateIds = ['template-2']), ['phantom']],
  [
    'a grant was given twice',
    (it) => (memberOf(it, ana).templateIds = ['template-2', 'template-2']),
    ['applied twice'],
  ],
  ['a change was rejected', (it) => it.changes.push(change('user.updated', ana, 'MEMBER', 600, 400)), ['rejected']],
  ['a form link is missing', (it) => it.links.pop(), ['lost link']],
  ['a form link was made twice', (it) => it.links.push({ email: other, isRevoked: false }), ['applied twice']],
  ['a form link was made by nobody', (it) => it.links.push({ email: ana, isRevoked: false }), ['phantom']],
  [
    'a form link was revoked by nobody',
    (it) => (it.links = it.links.map(({ email }) => ({ email, isRevoked: true }))),
    ['lost link'],
  ],
  [
    'the revocation of a form link is lost',
    (it) => (it.links = it.links.map(({ email }) => ({ email, isRevoked: false }))),
    ['lost revocation'],
  ],
  ['a revoked form link opens its task', (it) => it.visits.push(visit(guest, 511, true)), ['revoked link']],
  [
    'a form link is refused before it is revoked',
    (it) => it.visits.push(visit(guest, 490, false), visit(other, 950, false)),
    ['link refused', 'link refused'],
  ],
  ['the audit log lacks the line of an added member', (it) => withoutLine(it, 'user.created'), ['lost audit line']],
  ['the audit log lacks the line of a role', (it) => withoutLine(it, 'user.updated'), ['lost audit line']],
  ['the audit log lacks the line of a grant', (it) => withoutLine(it, 'grant.revoked'), ['lost audit line']],
  ['the audit log lacks the line of a revoked form link', (it) => it.lines.pop(), ['lost audit line']],
  ['the audit log has a change twice', (it) => it.lines.push(...it.lines.slice(-1)), ['phantom audit line']],
  [
    'the audit log has a change of nobody',
    (it) => it.lines.push({ action: 'user.password_set', email: ana, value: null }),
    ['phantom audit line'],
  ],
  ['a line of the audit log was changed', (it) => (it.brokenLog = 'Line 3 was changed.'), ['broken chain']],
];

for (const [name, plant, rules] of planted) {
  test(`the checker detects that ${name}`, (t) => {
    t.deepEqual(violated(plant), rules);
  });
}
