import type { Command } from 'commander';
import { action } from '../../cli.ts';
import { noProfile } from '../../profiles/connection.ts';
import { readProfiles, withoutProfile, writeProfiles } from '../../profiles/store.ts';
import { note } from '../../terminal/notes.ts';

/** `runward profiles remove`. */
export function removeProfile(profiles: Command): void {
  profiles
    .command('remove')
    .description('Forget a profile and its key')
    .argument('<name>', 'a stored profile')
    .action(
      action(async (_cli, name: string) => {
        const stored = await readProfiles();
        if (!Object.hasOwn(stored.profiles, name)) throw noProfile(name, stored);
        await writeProfiles(withoutProfile(stored, name));
        note(`The profile "${name}" is gone.`);
      }),
    );
}
