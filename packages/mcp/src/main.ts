import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createClient, isRunwardError } from '@runward/sdk';
import envPaths from 'env-paths';
import { createMcpServer } from './server.ts';
import { findConnection } from './stdio/connection.ts';
import { help, readCommandLine, type CommandLine } from './stdio/options.ts';
import { scopesOf } from './stdio/scopes.ts';
import { ToolError } from './tool-error.ts';
import { version } from './version.ts';

/** Clients wait a minute for a tool. */
const maxRetryAfterSeconds = 10;

/** Standard output belongs to the protocol. */
const log = (message: string) => process.stderr.write(`runward-mcp: ${message}\n`);

try {
  const commandLine = readCommandLine(process.argv.slice(2));
  if (commandLine.print === null) await serve(commandLine);
  else process.stdout.write(commandLine.print === 'help' ? help : `${version}\n`);
} catch (error) {
  if (!(error instanceof ToolError) && !isRunwardError(error)) throw error;
  log(error.message);
  process.exitCode = 2;
}

async function serve({ groups, readOnly, profile }: CommandLine & { print: null }): Promise<void> {
  const configDirectory = envPaths('runward', { suffix: '' }).config;
  const { apiKey, baseUrl } = await findConnection({ env: process.env, profile, configDirectory });
  const client = createClient({ apiKey, baseUrl, maxRetryAfterSeconds, appInfo: { name: 'runward-mcp', version } });
  const scopes = scopesOf(client);
  const onError = (error: unknown) => log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const handle = serveStdio(() => createMcpServer({ client, scopes, groups, readOnly, onError }), { onerror: onError });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void handle.close());
  log(`version ${version} for ${baseUrl ?? 'http://127.0.0.1:3000'}${readOnly ? ', read-only' : ''}`);
}
