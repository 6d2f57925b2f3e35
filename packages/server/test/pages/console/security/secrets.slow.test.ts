import { randomUUID } from 'node:crypto';
import { useApp } from '@runward/testing/app';
import { secrets } from '@runward/testing/checks/secrets';
import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient, unescaped } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import test, { type ExecutionContext } from 'ava';
import { bodyOf, pathOf, sampledForms, sampledPages, searchOf } from '../../../support/sweep/console-pages.ts';
import { newWorld } from '../../../support/world/world.ts';

const app = useApp(test, { retrySchedule: [0] });
const stack = new AsyncDisposableStack();
test.after.always(() => stack.disposeAsync());

type Answer = Awaited<ReturnType<ReturnType<typeof newClient>['get']>>;

/** Nobody may keep a page of the console, show it in a frame, or learn its address; and it leads nowhere else. */
function isGuarded(t: ExecutionContext, { status, headers }: Answer, what: string) {
  t.is(headers.get('cache-control'), 'no-store', what);
  t.is(headers.get('x-frame-options'), 'SAMEORIGIN', what);
  t.is(headers.get('referrer-policy'), 'same-origin', what);
  t.is(headers.get('x-content-type-options'), 'nosniff', what);
  if (status === 303) {
    // The content of a file is at a signed URL.
    const files = `${app.baseUrl}/files/`;
    t.regex((headers.get('location') ?? '').replace(files, '/files/'), /^\/(?!\/)/, what);
  } else {
    const policy = headers.get('content-security-policy') ?? '';
    t.regex(policy, /^default-src 'none';/, what);
    for (const each of ["form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      t.true(policy.includes(each), `${what}: ${policy}`);
    }
    t.notRegex(policy, /unsafe|\*|data:|blob:/, what);
  }
}

test.serial('no page of the console is kept, framed or leads elsewhere, and none shows a secret', async (t) => {
  const { url } = stack.use(await startReceiver());
  const org = await newOrganization(app);
  const world = await newWorld(app, org, url);
  const { secret } = await must(world.session.call('organization', 'signingSecret'));
  const stranger = newClient(app);
  for (const form of sampledForms) {
    // A new password and the end of the other sessions would end that of the client.
    const session = await org.session();
    const client = newClient(app);
    await client.signIn(org.ownerEmail, org.ownerPassword);
    const { csrf = '' } = fieldsOf((await client.get('/console/account')).html);
    secrets.remember(...client.cookies.values(), csrf);
    const ids = { ...world.ids, ...(await form.before?.({ ...world, session })) };
    const fields = (await form.fields?.(ids, { ...world, session })) ?? {};
    secrets.rememberNamed(fields);
    const path = pathOf(form, (subject) => ids[subject]);
    const wrong = { ...fields, name: '', title: 'x'.repeat(300), newPassword: 'x', scopes: 'x', overlapHours: 'x' };
    const typed = Object.entries(fields).flatMap(([name, value]) => (/password/i.test(name) ? [value] : []));
    for (const sent of [wrong, { ...fields, csrf: 'x' }, fields]) {
      const answer = await client.upload(path, bodyOf(form, { csrf, ...sent }));
      isGuarded(t, answer, form.name);
      const location = answer.headers.get('location') ?? '';
      for (const each of [...typed, ...client.cookies.values(), csrf]) t.false(location.includes(each), form.name);
      for (const each of [...typed, client.cookies.get('flow_session') ?? '']) {
        t.false(answer.html.includes(each), `${form.name} shows a password or the session`);
      }
      const [plainKey] = /sk_live_\w+/.exec(answer.html) ?? [];
      t.is(
        plainKey !== undefined && plainKey.length > 30,
        form.name === 'consoleCreateKey' && sent === fields,
        form.name,
      );
      secrets.remember(plainKey);
    }
    isGuarded(t, await stranger.upload(path, bodyOf(form, fields)), `${form.name} of a stranger`);
  }

  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  const own = [...client.cookies.values()];
  const { csrf = '' } = fieldsOf((await client.get('/console/account')).html);
  const { secret: rotated } = await must((await org.session()).call('organization', 'signingSecret'));
  t.not(rotated, secret, 'the forms have rotated it');
  for (const sampled of sampledPages.filter(({ page }) => page.method === 'GET')) {
    const path = pathOf(sampled, (subject) => world.ids[subject]) + searchOf(sampled, world.ids);
    const answer = await client.get(path);
    isGuarded(t, answer, sampled.name);
    const hidden = [...secrets.values].filter((each) => each !== csrf && each !== rotated);
    t.deepEqual(
      hidden.filter((each) => answer.html.includes(each)),
      [],
      `${sampled.name} shows secrets`,
    );
    t.is(answer.html.includes(rotated), sampled.name === 'consoleSecret', sampled.name);
    const urls = [...answer.html.matchAll(/\s(?:href|action|hx-get|hx-post)="([^"]*)"/g)].map(([, each = '']) =>
      unescaped(each),
    );
    for (const each of [...own, csrf])
      t.false(
        urls.some((url) => url.includes(each)),
        `${sampled.name} has it in a URL`,
      );
    const fromStranger = await stranger.get(path);
    isGuarded(t, fromStranger, `${sampled.name} for a stranger`);
    t.is(
      fromStranger.headers.get('location'),
      `/sign-in?${new URLSearchParams({ next: path }).toString()}`,
      sampled.name,
    );
  }
});

const elsewhere = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  '\\\\evil.example',
  '/console/../..//evil.example',
  '/console//evil.example',
  '/console@evil.example',
  '/console.evil.example',
  '/console\r\nset-cookie: a=b',
  '/console?next=//evil.example\u0000',
  'javascript:alert(1)',
  '/sign-in',
  '/assets/x',
  ` /console/tasks`,
];

test.serial('signing in leads to pages of this service only, whatever address a form or a link names', async (t) => {
  const { ownerEmail, ownerPassword } = await newOrganization(app);
  for (const next of elsewhere) {
    const { headers } = await newClient(app).signIn(ownerEmail, ownerPassword, next);
    t.is(headers.get('location'), '/console', JSON.stringify(next));
    for (const path of ['/sign-in', '/sign-in/resume']) {
      const client = newClient(app);
      const { csrf = '' } = fieldsOf((await client.get('/sign-in')).html);
      const sent = { csrf, next, email: ownerEmail, password: ownerPassword, 'pending.name': 'x' };
      t.is((await client.submit(path, sent)).headers.get('location'), '/console', JSON.stringify(next));
    }
  }
  const member = newClient(app);
  await member.signIn(ownerEmail, ownerPassword);
  const { csrf = '' } = fieldsOf((await member.get('/console/account')).html);
  for (const next of elsewhere) {
    const fields = { csrf, next, action: next, redirectTo: next, name: randomUUID() };
    const { headers } = await member.submit(`/console/folders?next=${encodeURIComponent(next)}`, fields);
    t.regex(headers.get('location') ?? '', /^\/console\/folders\/[\w-]+(?:\?notice=\w+)?$/, JSON.stringify(next));
  }
});
