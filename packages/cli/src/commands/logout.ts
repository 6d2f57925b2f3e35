import type { Command } from 'commander';
import { action } from '../cli.ts';
import { usage } from '../errors.ts';
import { noProfile } from '../profiles/connection.ts';
import { readProfiles, withoutProfile, writeProfiles } from '../profiles/store.ts';
import { note } from '../terminal/notes.ts';

/** `runward logout`: forgets a stored key. */
export function logout(program: Command): void {
  program
    .command('logout')
    .description('Forget the key of the current profile, or of --profile')
    .action(
      action(async ({ globals }) => {
        const stored = await readProfiles();
        const name = globals.profile ?? (process.env['RUNWARD_PROFILE'] || stored.current);
        if (name === null) throw usage('No profile is current. Name one: runward logout --profile NAME');
        if (!Object.hasOwn(stored.profiles, name)) throw noProfile(name, stored);
        await writeProfiles(withoutProfile(stored, name));
        note(`The profile "${name}" is gone from this machine. Its key still works; revoke it in the web settings.`);
      }),
    );
}
