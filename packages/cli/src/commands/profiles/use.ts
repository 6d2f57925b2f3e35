import type { Command } from 'commander';
import { action } from '../../cli.ts';
import { noProfile } from '../../profiles/connection.ts';
import { readProfiles, writeProfiles } from '../../profiles/store.ts';
import { note } from '../../terminal/notes.ts';

/** `runward profiles use`. */
export function useProfile(profiles: Command): void {
  profiles
    .command('use')
    .description('Make a profile the current one')
    .argument('<name>', 'a stored profile')
    .action(
      action(async (_cli, name: string) => {
        const stored = await readProfiles();
        if (!Object.hasOwn(stored.profiles, name)) throw noProfile(name, stored);
        await writeProfiles({ ...stored, current: name });
        note(`The profile "${name}" (${stored.profiles[name]?.baseUrl}) is now the current one.`);
      }),
    );
}
