import { join } from 'node:path';
import { Client, type CallToolResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { createClient } from '@runward/sdk';
import { inherited, repository } from '@runward/testing/program';
import type { ExecutionContext } from 'ava';
import { createMcpServer, type ServerOptions } from '../../src/index.ts';
import { scopesOf } from '../../src/stdio/scopes.ts';

/** A client connected to a server, and what tests read from it. */
export interface Connected {
  readonly client: Client;
  /** The names of the tools that are listed. */
  names(): Promise<string[]>;
  /** Calls a tool that must succeed. Returns its data. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the test knows what its tool returns
  data<Data>(name: string, args?: Record<string, unknown>): Promise<Data>;
  /** Calls a tool that must succeed. Returns its text. */
  text(name: string, args?: Record<string, unknown>): Promise<string>;
  /** Calls a tool that must fail. Returns its message. */
  failure(name: string, args?: Record<string, unknown>): Promise<string>;
}

/** Starts `runward-mcp` as a process, and connects the official client to it until the test ends. */
export async function connectStdio(
  t: ExecutionContext,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Connected> {
  const environment = { ...inherited(), RUNWARD_CONFIG: '/nonexistent/profiles.json', ...env };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--conditions=@runward/source', join(repository, 'packages/mcp/src/bin.ts'), ...args],
    env: Object.fromEntries(
      Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  t.teardown(() => client.close());
  return readable(client);
}

/** Connects the official client to a server in this process until the test ends. This is faster than a process. */
export async function connectHere(
  t: ExecutionContext,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
  options: Partial<ServerOptions> = {},
): Promise<Connected> {
  const runward = createClient({ apiKey, baseUrl });
  const server = createMcpServer({
    client: runward,
    scopes: scopesOf(runward),
    onError: (error) => t.log(error),
    ...options,
  });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(there), client.connect(here)]);
  t.teardown(() => client.close());
  return readable(client);
}

/** What tests read of a connected client. */
export function readable(client: Client): Connected {
  const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });
  const succeed = async (name: string, args?: Record<string, unknown>) => {
    const result = await call(name, args);
    if (result.isError === true) throw new Error(`${name} failed: ${textOf(result)}`);
    return result;
  };
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    data: async (name, args) => (await succeed(name, args)).structuredContent as never,
    text: async (name, args) => textOf(await succeed(name, args)),
    failure: async (name, args) => {
      const result = await call(name, args);
      if (result.isError !== true) throw new Error(`${name} succeeded: ${textOf(result)}`);
      return textOf(result);
    },
  };
}

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
