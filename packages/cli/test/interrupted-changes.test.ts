import { launchRun, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { useServer } from './support/service.ts';
import { runThroughProxy } from './support/through-proxy.ts';

const { newWorkplace } = useServer(test);

test('an interrupted import says how many rows it created, and from which line on it did not', async (t) => {
  const work = await newWorkplace();
  await work.data(['data', 'create', 'Numbers', '--column', 'Name', '-o', 'json']);
  const input = ['Name', ...Array.from({ length: 5_001 }, (_, index) => index)].join('\n');
  const { code, stdout, stderr } = await runThroughProxy(t, work, ['data', 'import', 'Numbers', '-', '-o', 'csv'], {
    input,
    onWrite(_, interrupt) {
      interrupt();
      return true;
    },
  });
  t.is(code, 130);
  t.regex(stdout, /,5001,5001,0,5000\n$/);
  t.regex(stderr, /Stopped: 5000 of 5001 new rows were imported, those before line 5002\. Remove them from the file/);
});

test('an interrupted cancellation of several runs completes the run under way, and reports each run', async (t) => {
  const work = await newWorkplace();
  const { templateId } = await publishProcess(work.org.api);
  const runs = [await launchRun(work.org.api, templateId), await launchRun(work.org.api, templateId)];
  const [one = '', two = ''] = runs.map(({ id }) => id);
  const args = ['runs', 'cancel', one, two, '-o', 'csv', '--fields', 'runId,outcome'];
  const { code, stdout, stderr } = await runThroughProxy(t, work, args, {
    onWrite(_, interrupt) {
      interrupt();
      return true;
    },
  });
  t.is(code, 130);
  t.is(stdout, `runId,outcome\n${one},cancelled\n${two},not tried\n`);
  t.regex(stderr, /^Stopping after the run under way\./);
});
