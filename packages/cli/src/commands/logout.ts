import type { Command } from 'commander';
import type { Action } from '../action.ts';
import { usage } from '../errors.ts';
import { unknownProfile } from '../profiles/connection.ts';
import { readProfiles, withoutProfile, writeProfiles } from '../profiles/store.ts';

/** `runward logout`: removes a stored API key. */
export function logout(program: Command, action: Action): void {
  program.command('logout').action(
    action(async ({ io, globals, info }) => {
      const stored = await readProfiles(io);
      const name = globals.profile ?? (io.env['RUNWARD_PROFILE'] || stored.current);
      if (name === null) throw usage('No current profile. Name one: runward logout --profile NAME');
      if (!Object.hasOwn(stored.profiles, name)) throw unknownProfile(name, stored);
      await writeProfiles(io, withoutProfile(stored, name));
      info(
        `Removed the profile "${name}" from this machine. Its API key stays valid until an operator of the service revokes it: runward-admin key revoke ID (in a clone of the repository: npm run admin -- key revoke ID).`,
      );
    }),
  );
}
