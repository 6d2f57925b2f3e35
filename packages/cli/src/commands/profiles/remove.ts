import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { unknownProfile } from '../../profiles/connection.ts';
import { readProfiles, withoutProfile, writeProfiles } from '../../profiles/store.ts';

/** `runward profiles remove`. */
export function removeProfile(profiles: Command, action: Action): void {
  profiles
    .command('remove')
    .argument('<profile>', 'a stored profile')
    .action(
      action(async ({ io, info }, name: string) => {
        const stored = await readProfiles(io);
        if (!Object.hasOwn(stored.profiles, name)) throw unknownProfile(name, stored);
        await writeProfiles(io, withoutProfile(stored, name));
        info(`Removed the profile "${name}".`);
      }),
    );
}
