import type { Command } from 'commander';
import type { Action } from '../action.ts';
import { printRecord } from '../output/print.ts';
import { masked } from '../profiles/store.ts';

const connectionFields = ['baseUrl', 'keyFrom', 'key'];

const columns = [
  ...connectionFields,
  'name',
  'member',
  'scopes',
  'resourceMode',
  'expiresAt',
  'organization.name',
  'organization.plan',
];

const fields = [
  ...connectionFields,
  'id',
  'name',
  'scopes',
  'resourceMode',
  'scopedTemplateIds',
  'scopedFolderIds',
  'expiresAt',
  'createdByUserId',
  'member',
  'user',
  'organization',
];

/** `runward whoami`: the server, the organization, and the API key in use with its member and its permissions. */
export function whoami(program: Command, action: Action): void {
  program.command('whoami').action(
    action(async ({ output, connection, connect }) => {
      const used = await connection();
      const caller = await (await connect(used)).me.get();
      const keyFrom = used.profile === null ? 'RUNWARD_API_KEY' : `profile ${used.profile}`;
      const { organization, user } = caller;
      const member = `${user.name} <${user.email}>, ${user.role}`;
      const apiKey = caller.type === 'API_KEY' ? caller.apiKey : {};
      const record = {
        baseUrl: used.baseUrl,
        keyFrom,
        key: masked(used.apiKey),
        ...apiKey,
        member,
        user,
        organization,
      };
      await printRecord(output, record, { columns, fields });
    }),
  );
}
