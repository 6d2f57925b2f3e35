import { isPermissionError, type Client } from '@runward/sdk';
import type { Command } from 'commander';
import { action } from '../cli.ts';
import { printRecord } from '../output/print.ts';
import { masked } from '../profiles/store.ts';

const fields = ['baseUrl', 'keyFrom', 'key', 'scopes'];

/** `runward whoami`: which server and key are used, whether the key works, and what it may read. */
export function whoami(program: Command): void {
  program
    .command('whoami')
    .description('Print which server and key are used, and check the key')
    .addHelpText(
      'after',
      '\nOf the scopes it shows runs:read, templates:read, users:read and webhooks:manage, which reading proves. A key can\nhold others; only the web settings show them.',
    )
    .action(
      action(async (cli) => {
        const { baseUrl, profile, apiKey } = await cli.connection();
        const scopes = await provenScopes(await cli.connect());
        const keyFrom = profile === null ? 'RUNWARD_API_KEY' : `profile ${profile}`;
        await printRecord(cli.output, { baseUrl, keyFrom, key: masked(apiKey), scopes }, { columns: fields, fields });
      }),
    );
}

async function provenScopes({ runs, templates, users, webhooks }: Client): Promise<string[]> {
  const readings: Readonly<Record<string, () => PromiseLike<unknown>>> = {
    'runs:read': () => runs.list({ limit: 1 }),
    'templates:read': () => templates.list({ limit: 1 }),
    'users:read': () => users.list({ limit: 1 }),
    'webhooks:manage': () => webhooks.list({ limit: 1 }),
  };
  const held: string[] = [];
  for (const [scope, read] of Object.entries(readings)) {
    try {
      await read();
      held.push(scope);
    } catch (error) {
      if (!isPermissionError(error)) throw error;
    }
  }
  return held;
}
