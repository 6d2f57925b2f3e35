import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { newOrganization } from '@runward/testing/organization';
import { publishProcess } from '@runward/testing/process';
import type { SharedApp } from '@runward/testing/use-shared-app';
import type { ExecutionContext, SerialFn } from 'ava';
import { blocksOf } from '../guides/blocks.ts';

/** How a client starts a server. */
interface Server {
  readonly command: string;
  readonly args: string[];
  readonly cwd: string;
}

/** Tests `runward-mcp`, installed globally in `prefix`, and the program of its README with the official client. */
export function testMcp(test: SerialFn, app: SharedApp, prefix: string): void {
  const inPackage = join(prefix, 'lib', 'node_modules', '@runward', 'mcp');
  const program = blocksOf('packages/mcp/README.md').find(({ text }) => text.startsWith('import { serveStdio }'));

  test('runward-mcp, installed globally, launches a run for a client', async (t) => {
    const client = await connect(t, { command: join(prefix, 'bin', 'runward-mcp'), args: [], cwd: prefix });
    const launched = await client.callTool({ name: 'launch_run', arguments: { template: 'Onboarding', title: 'Ada' } });
    t.falsy(launched.isError, JSON.stringify(launched));
    const found = await client.callTool({ name: 'find_runs', arguments: { title: 'Ada' } });
    t.regex(JSON.stringify(found), /1 run\b/);
  });

  test('the program in the README of @runward/mcp offers the tools that change nothing', async (t) => {
    const args = ['--input-type=module-typescript', '--eval', program?.text ?? ''];
    const client = await connect(t, { command: process.execPath, args, cwd: inPackage });
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    t.true(names.includes('find_runs') && names.length > 5, names.join(', '));
    t.false(names.includes('launch_run'), names.join(', '));
  });

  /** Connects a client to a server, with the key of an organization that has a template. */
  async function connect(t: ExecutionContext, server: Server): Promise<Client> {
    const { api, apiKey } = await newOrganization(app);
    await publishProcess(api, [{ title: 'Sign' }], { name: 'Onboarding' });
    const { PATH = '' } = process.env;
    const env = { PATH, HOME: prefix, RUNWARD_API_KEY: apiKey, RUNWARD_BASE_URL: app.baseUrl };
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ ...server, env, stderr: 'ignore' }));
    t.teardown(() => client.close());
    return client;
  }
}
