import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { unknownProfile } from '../../profiles/connection.ts';
import { readProfiles, writeProfiles } from '../../profiles/store.ts';

/** `runward profiles use`. */
export function useProfile(profiles: Command, action: Action): void {
  profiles
    .command('use')
    .argument('<profile>', 'a stored profile')
    .action(
      action(async ({ io, info }, name: string) => {
        const stored = await readProfiles(io);
        if (!Object.hasOwn(stored.profiles, name)) throw unknownProfile(name, stored);
        await writeProfiles(io, { ...stored, current: name });
        info(`The current profile is now "${name}" (${stored.profiles[name]?.baseUrl}).`);
      }),
    );
}
