import { isPermissionError, type Client } from '@runward/sdk';
import type { Command } from 'commander';
import type { Action } from '../cli.ts';
import { printRecord } from '../output/print.ts';
import { masked } from '../profiles/store.ts';

const fields = ['baseUrl', 'keyFrom', 'key', 'scopes'];

/** `runward whoami`: the server and the API key in use, whether the key is valid, and what it may read. */
export function whoami(program: Command, action: Action): void {
  program
    .command('whoami')
    .description('Print the server and the API key in use, and check the key')
    .addHelpText(
      'after',
      '\nThe scopes runs:read, templates:read, users:read and webhooks:manage are found by trying. The key may have others; the\nsettings of the organization show all of them.',
    )
    .action(
      action(async ({ output, connection, connect }) => {
        const used = await connection();
        const scopes = await findScopes(await connect(used));
        const keyFrom = used.profile === null ? 'RUNWARD_API_KEY' : `profile ${used.profile}`;
        const record = { baseUrl: used.baseUrl, keyFrom, key: masked(used.apiKey), scopes };
        await printRecord(output, record, { columns: fields, fields });
      }),
    );
}

async function findScopes({ runs, templates, users, webhooks }: Client): Promise<string[]> {
  const reads: Readonly<Record<string, () => PromiseLike<unknown>>> = {
    'runs:read': () => runs.list({ limit: 1 }),
    'templates:read': () => templates.list({ limit: 1 }),
    'users:read': () => users.list({ limit: 1 }),
    'webhooks:manage': () => webhooks.list({ limit: 1 }),
  };
  const scopes: string[] = [];
  for (const [scope, read] of Object.entries(reads)) {
    try {
      await read();
      scopes.push(scope);
    } catch (error) {
      if (!isPermissionError(error)) throw error;
    }
  }
  return scopes;
}
