import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { printList } from '../../output/print.ts';
import { masked, readProfiles } from '../../profiles/store.ts';

const fields = ['name', 'baseUrl', 'key', 'current'];

/** `runward profiles list`. */
export function listProfiles(profiles: Command, action: Action): void {
  profiles.command('list').action(
    action(async ({ io, output }) => {
      const stored = await readProfiles(io);
      const rows = Object.entries(stored.profiles).map(([name, { baseUrl, apiKey }]) => {
        return { name, baseUrl, key: masked(apiKey), current: name === stored.current };
      });
      await printList(output, rows, { columns: fields, fields, plural: 'profiles' });
    }),
  );
}
