import { createClient } from '@runward/sdk';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { scopesOf } from '../src/stdio/scopes.ts';
import { connectHere } from './support/connect.ts';

const app = useSharedApp(test);

/** A client of the SDK, some of whose requests fail after the service got them. */
function losing(apiKey: string, isLost: (method: string, path: string) => boolean) {
  const lossy: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    if (isLost(init?.method ?? 'GET', new URL(url).pathname)) throw new TypeError('connection lost');
    return response;
  };
  return createClient({ apiKey, baseUrl: app.baseUrl, fetch: lossy, maxRetries: 0 });
}

test('a change is reported as made if only reading the run afterwards fails', async (t) => {
  const org = await newOrganization(app);
  await publishProcess(org.api, [{ title: 'Order' }], { name: 'Purchase' });
  let hasWritten = false;
  const client = losing(org.apiKey, (method, path) => {
    hasWritten ||= method === 'POST';
    return hasWritten && method === 'GET' && /^\/(?:runs\/[^/]+|users)$/.test(path);
  });
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey }, { client });
  const launched = await mcp.text('launch_run', { template: 'Purchase', title: 'Laptops' });
  t.regex(launched, /^Launched RUN-\w+ "Laptops" \(RUNNING\)\.[^]*notRead: The change was made, so do not repeat/);

  hasWritten = false;
  const run = /RUN-\w+/.exec(launched)?.[0];
  const submitted = await mcp.text('submit_form', { run, task: 'Order' });
  t.regex(
    submitted,
    /^Completed "Order" of RUN-\w+ "Laptops"; the task is COMPLETED\.[^]*notRead: The change was made/,
  );
  t.is((await must(org.api.call('runs', 'counts', { query: {} }))).COMPLETED, 1);
});

test('an error says that a change without a response may have been made', async (t) => {
  const org = await newOrganization(app);
  await publishProcess(org.api, [{ title: 'Order' }], { name: 'Purchase' });
  const writes = losing(org.apiKey, (method) => method === 'POST');
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey }, { client: writes });
  t.regex(await mcp.failure('launch_run', { template: 'Purchase' }), /may have been made all the same: look before/);
  t.regex(await mcp.text('find_runs'), /^1 run\./);

  const reads = losing(org.apiKey, (method) => method === 'GET');
  const other = await connectHere(t, { ...app, apiKey: org.apiKey }, { client: reads });
  t.regex(await other.failure('find_runs'), /Try again in a moment\.$/);
});

test('a call of a tool fails with a message for the model if the service cannot be reached or does not know the key', async (t) => {
  const org = await newOrganization(app);
  const none = losing(org.apiKey, () => true);
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey }, { client: none, scopes: scopesOf(none) });
  t.regex(await mcp.failure('find_runs'), /^GET \/me failed: .* Try again in a moment\.$/);
  const unknown = await connectHere(t, { ...app, apiKey: `${org.apiKey}x` });
  t.regex(await unknown.failure('find_runs'), /^Authentication required: the API key is malformed, unknown/);
});
