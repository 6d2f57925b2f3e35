import { Command } from 'commander';
import { addAuditCommand } from './audit.ts';
import { addCellCommands } from './cells.ts';
import { addCounterCommands } from './counters.ts';
import { addDoctorCommand } from './doctor/doctor.ts';
import { addFileCommands } from './files.ts';
import type { Io } from './io.ts';
import { addKeyCommands } from './key.ts';
import { addMigrateCommand } from './migrate.ts';
import { addOrganizationCommands } from './organization/organization.ts';
import { addPlanCommands } from './plan.ts';
import { addSecretCommands } from './secret.ts';
import { addUserCommands } from './user.ts';

/** The command line: `--json`, then nouns and their verbs. Throws errors instead of ending the process. */
export function buildProgram(io: Io): Command {
  const program = new Command('runward-admin')
    .description(
      'Manage organizations, members, API keys, signing secrets and plans, read the audit log, check the installation, files and counters, migrate, and manage cells, directly in the database of the service.',
    )
    .option('--json', 'print the result as JSON')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .addHelpText('after', notes);
  const nouns = [
    addDoctorCommand,
    addOrganizationCommands,
    addUserCommands,
    addKeyCommands,
    addSecretCommands,
    addPlanCommands,
    addAuditCommand,
    addFileCommands,
    addCounterCommands,
    addMigrateCommand,
    addCellCommands,
  ];
  for (const add of nouns) add(program, io);
  return program;
}

const notes = `
Uses the database of DATABASE_URL, or the embedded one in DATA_DIR; the service may be running. Generated passwords and keys
are printed once, on standard output, and cannot be retrieved later; signing secrets can, with "secret show". In a clone
of the repository, the command is npm run admin --.

Exit codes: 0 success, 1 rejected or failed, 2 usage error, 78 the database is of another version or program. With doctor, 0 says that
nothing is wrong, 1 that something is, and 78 also that the settings are wrong.

Examples:
  $ runward-admin organization create --name Acme --owner-email ada@acme.example
  $ runward-admin key create --organization Acme --scopes runs:read,runs:write --json
  $ runward-admin user password --email ada@acme.example --password-stdin < password.txt`;
