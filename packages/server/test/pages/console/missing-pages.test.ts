import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

test('an address of the console that does not exist is a page', async (t) => {
  const org = await newOrganization(app);
  const member = newClient(app);
  for (const isSignedIn of [false, true]) {
    if (isSignedIn) await member.signIn(org.ownerEmail, org.ownerPassword);
    for (const path of ['/console/nothing', '/console/tasks/x/nothing']) {
      const { status, headers, html } = await member.get(path);
      t.is(status, 404);
      t.regex(headers.get('content-type') ?? '', /^text\/html/);
      t.regex(html, isSignedIn ? /Page not found[^]*Console<\/a>/ : /Page not found[^]*Sign in/);
    }
  }
  t.is((await member.submit('/console/nothing', {})).status, 404);
});
