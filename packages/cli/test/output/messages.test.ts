import { createServer } from 'node:http';
import { closeServer, listenOnLoopback, startServer } from '@runward/testing/http-server';
import test from 'ava';
import { runCommand } from '../support/command.ts';
import { useServer } from '../support/service.ts';

const { app, newWorkplace } = useServer(test);

test('a message about an invalid command line names the command whose help explains it', async (t) => {
  const help = async (...args: string[]) => /See: (runward.*) --help$/m.exec((await runCommand(args)).stderr)?.[1];
  t.is(await help('-o', 'json', '-o', 'table', 'runs', 'get'), 'runward runs get');
  t.is(await help('portals', 'pages', 'lst'), 'runward portals pages');
  t.is(await help('runz', 'list'), 'runward');
  t.is(await help('templates', 'tasks', 'create', 'Onboarding'), 'runward templates tasks create');
});

test('choices are accepted in any case', async (t) => {
  const { runward, data } = await newWorkplace();
  t.is((await runward(['runs', 'list', '--status', 'running,Overdue', '-o', 'JSON'])).stdout, '[]\n');
  t.deepEqual(await data(['webhooks', 'deliveries', '--status', 'failed']), []);
  const { code, stderr } = await runward(['analytics', '--format', 'xml']);
  t.is(code, 2);
  t.regex(stderr, /It must be one of csv, pdf\./);
});

test('help for an unknown command prints its error, and for a known command its help', async (t) => {
  for (const words of [
    ['help', 'runs', 'lst'],
    ['runs', 'help', 'lst'],
    ['runs', 'lst', '--help'],
  ]) {
    const { code, stdout, stderr } = await runCommand(words);
    const expected = "Error: unknown command 'lst'\n  (Did you mean list?)\n  See: runward runs --help\n";
    t.deepEqual({ code, stdout, stderr }, { code: 2, stdout: '', stderr: expected });
  }
  const leaf = await runCommand(['help', 'login', 'nope', '-o', 'json']);
  t.like(JSON.parse(leaf.stderr), { messages: ["unknown command 'nope'"], exitCode: 2 });
  const { code, stdout } = await runCommand(['runs', 'list', '--help']);
  t.is(code, 0);
  t.is((await runCommand(['help', 'runs', 'list'])).stdout, stdout);
  t.is((await runCommand(['runs', 'help', 'list'])).stdout, stdout);
});

test('an unknown ID, an invalid key and an invalid filter are reported with what to do', async (t) => {
  const { runward, org } = await newWorkplace();
  const id = '0195f3a0-5a50-7c1e-9d0f-3f2b8c1d4e5f';
  t.regex(
    (await runward(['runs', 'get', id])).stderr,
    /not found\.\n {2}It may have been deleted, .+ runward whoami\n/,
  );
  const elsewhere = await startServer(t, (res) => res.writeHead(404).end('Not Found'));
  for (const args of [
    ['runs', 'list', '--base-url', `${app.baseUrl}/v1`],
    ['runs', 'get', id, '--base-url', elsewhere.baseUrl],
    ['api', 'GET', '/nope'],
  ]) {
    const { code, stderr } = await runward(args);
    t.is(code, 3);
    t.regex(stderr, /[Nn]ot [Ff]ound\.?\n {2}Check the path and the URL of the server \(--base-url, .+\)\.\n/);
  }
  const RUNWARD_API_KEY = `${org.apiKey.slice(0, -4)}aaaa`;
  t.regex(
    (await runward(['runs', 'list'], { env: { RUNWARD_API_KEY } })).stderr,
    /To store another key: runward login/,
  );
  const malformed = await runward(['runs', 'list'], { env: { RUNWARD_API_KEY: 'key' } });
  t.is(malformed.code, 4);
  t.regex(malformed.stderr, /^Error: RUNWARD_API_KEY must be sk_live_ followed by letters and digits\./);
  t.regex((await runward(['runs', 'list', '--owner', 'x'])).stderr, /See: runward users list|Did you mean/);
  const filtered = await runward(['runs', 'list', '--jq', '.[']);
  t.regex(filtered.stderr, /^Error: --jq: syntax error[^\n]*\n$/);
});

test('surplus arguments are followed by what to type instead', async (t) => {
  const hints = async (...args: string[]) => {
    const { code, stderr } = await runCommand(args);
    t.is(code, 2);
    t.regex(stderr, /^Error: too many arguments/);
    return stderr.split('\n  ').slice(1, -1);
  };
  t.deepEqual(await hints('tasks', 'complete', 'Run 1', 'Sign', 'name=Ada', '--value', 'x=1', 'full name=Ada L'), [
    'Give name=Ada as: --value name=Ada',
    'Give "full name=Ada L" as: --value "full name=Ada L"',
  ]);
  t.deepEqual(await hints('tasks', 'reopen', 'Run 1', 'Sign', 'price=$5'), [
    "To set a value: runward tasks fill RUN TASK --value 'price=$5'",
    "To set a value: runward tasks complete RUN TASK --value 'price=$5'",
  ]);
  t.deepEqual(await hints('runs', 'launch', '--template', 'Hire', 'title=Ada', 'level=3'), [
    'Did you mean --title Ada?',
    'Give level=3 as: --var level=3',
  ]);
  t.deepEqual(await hints('runs', 'list', 'Amount=3'), ['Give Amount=3 as: --field Amount=3']);
  t.deepEqual(await hints('api', 'GET', '/runs', 'status=OVERDUE'), ['Give status=OVERDUE as: --field status=OVERDUE']);
  t.deepEqual(await hints('runs', 'get', 'Run', '1'), ['Put a text of several words in quotes: "Run 1"']);
  t.deepEqual(await hints('tasks', 'complete', 'Run', '1', 'Sign'), ['Put a text of several words in quotes.']);
  t.deepEqual(await hints('tasks', 'assign', 'Run 1', 'Sign', 'ada@example.com'), [
    'Did you mean --user ada@example.com?',
  ]);
  t.deepEqual(await hints('runs', 'get', 'Run 1', 'Pay the invoice'), []);
  t.deepEqual(await hints('templates', 'get', 'Hire', 'name=Ada'), []);
});

test('the page of a proxy is not printed, and --no-color wins over FORCE_COLOR', async (t) => {
  const server = createServer((_, response) => response.writeHead(502).end('<html>Bad Gateway</html>'));
  const env = {
    RUNWARD_BASE_URL: `http://127.0.0.1:${await listenOnLoopback(server)}`,
    RUNWARD_API_KEY: `sk_live_${'0'.repeat(38)}`,
    FORCE_COLOR: '1',
  };
  t.teardown(() => closeServer(server));
  const { code, stderr } = await runCommand(
    ['--no-color', 'webhooks', 'create', '--name', 'CRM', '--url', 'https://example.com', '--event', 'run.completed'],
    { env },
  );
  t.is(code, 1);
  t.regex(stderr, /^Error: The server, or a proxy in front of it, responded with 502 and a page of HTML\./);
});

test('a response of a proxy without content is reported with its status and what to do', async (t) => {
  const { baseUrl } = await startServer(t, (res) => res.writeHead(429, { 'retry-after': '3600' }).end());
  const env = { RUNWARD_BASE_URL: baseUrl, RUNWARD_API_KEY: `sk_live_${'0'.repeat(38)}` };
  const { code, stderr } = await runCommand(['runs', 'list'], { env });
  t.is(code, 5);
  t.regex(
    stderr,
    /^Error: The server, or a proxy in front of it, responded with 429 without content\. Try again later/,
  );
});

test('a redirect is reported with the URL of the server and what to check', async (t) => {
  const { baseUrl } = await startServer(t, (res) => res.writeHead(301, { location: 'https://example.com/' }).end());
  const env = { RUNWARD_BASE_URL: baseUrl, RUNWARD_API_KEY: `sk_live_${'0'.repeat(38)}` };
  const { code, stderr } = await runCommand(['runs', 'list'], { env });
  t.is(code, 1);
  t.regex(stderr, /^Error: The server redirects to https:\/\/example\.com\/\. .+; check the URL of the server \(/);
});
