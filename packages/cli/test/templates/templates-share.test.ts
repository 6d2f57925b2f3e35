import { must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

interface Share {
  readonly id: string;
  readonly token: string;
  readonly status: string;
  readonly expiresAt: string | null;
  readonly importCount: number;
}

interface Imported {
  readonly template: { readonly id: string; readonly name: string; readonly folderId: string | null };
  readonly dropped: { readonly path: string }[];
}

test('templates share prints a token that templates import reads from stdin, into a folder by its name', async (t) => {
  const [sharing, importing] = [await newWorkplace(), await newWorkplace()];
  const assigneeId = sharing.org.ownerUserId;
  await publishProcess(sharing.org.api, [{ title: 'Sign', assigneeId }], { name: 'Onboarding' });
  const shared = await sharing.runward(['templates', 'share', 'Onboarding']);
  t.regex(shared.stdout, /^share_[0-9A-Za-z]{43}\n$/);
  t.regex(shared.stderr, /^This token is not shown again\. Revoke it with: runward templates unshare [0-9a-f-]{36}\n$/);

  const folder = await must(importing.org.api.call('folders', 'create', { body: { name: 'Partners' } }));
  const args = ['templates', 'import', '-', '--name', 'Theirs', '--folder', 'Partners'];
  const { template, dropped } = await importing.data<Imported>(args, { input: shared.stdout });
  t.like(template, { name: 'Theirs', folderId: folder.id });
  t.deepEqual(
    dropped.map(({ path }) => path),
    ['Sign > assignee'],
  );
  const shown = await importing.runward(['templates', 'import', shared.stdout.trim(), '-o', 'table', '--debug']);
  t.true(shown.stderr.includes('Not imported: Sign > assignee. Members are not imported; assign one of your own.\n'));
  t.true(shown.stderr.includes('/shared-templates/share_[redacted]/import'));
  t.false(shown.stderr.includes(shared.stdout.trim()));

  const unknown = await importing.runward(['templates', 'import', '-', '--folder', 'Partner'], {
    input: shared.stdout,
  });
  t.is(unknown.code, 3);
  t.regex(unknown.stderr, /No folder is named "Partner"\. Did you mean "Partners"\?/);
});

test('templates shares lists the shares of a template, and unshare revokes one', async (t) => {
  const { data, runward, org } = await newWorkplace();
  await publishProcess(org.api, [{ title: 'Sign' }], { name: 'Onboarding' });
  const share = await data<Share>([
    'templates',
    'share',
    'Onboarding',
    '--name',
    'Acme',
    '--expires',
    '30d',
    '-o',
    'json',
  ]);
  const days = (Date.parse(share.expiresAt ?? '') - Date.now()) / 86_400_000;
  t.true(days > 29.9 && days <= 30, String(days));
  const { token: _, ...listed } = share;
  t.deepEqual(await data<Share[]>(['templates', 'shares', 'Onboarding']), [listed as Share]);
  t.is((await runward(['templates', 'unshare', share.id])).code, 0);
  t.is((await data<Share[]>(['templates', 'shares', 'Onboarding']))[0]?.status, 'REVOKED');
  t.is((await runward(['templates', 'import', share.token])).code, 3);

  const past = await runward(['templates', 'share', 'Onboarding', '--expires', 'soon']);
  t.is(past.code, 2);
  t.regex(past.stderr, /It must be a time from now like 90m, 12h or 30d/);
  t.is((await runward(['templates', 'unshare', share.token])).code, 2);
});
