import { getRun, launchRun, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { useServer } from '../support/service.ts';
import { runThroughProxy } from '../support/through-proxy.ts';

const { newWorkplace } = useServer(test);

test('a cancellation of several runs reports each run when the connection is lost', async (t) => {
  const work = await newWorkplace();
  const { templateId } = await publishProcess(work.org.api);
  const runs = [];
  for (const title of ['One', 'Two', 'Three']) runs.push(await launchRun(work.org.api, templateId, { title }));
  const [one = '', two = '', three = ''] = runs.map(({ id }) => id);
  const args = ['runs', 'cancel', one, two, three, '-o', 'csv', '--fields', 'runId,outcome'];
  const { code, stdout, stderr } = await runThroughProxy(t, work, args, { onWrite: (index) => index === 0 });
  t.is(code, 1);
  t.is(stdout, `runId,outcome\n${one},cancelled\n${two},unclear\n${three},not tried\n`);
  t.regex(stderr, /Error: POST .+ failed: /);
  t.is((await getRun(work.org.api, three)).status, 'RUNNING');
});
