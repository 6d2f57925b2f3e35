import { Command, Option } from 'commander';
import { api } from './commands/api.ts';
import { addCompletion } from './commands/completion.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { listProfiles } from './commands/profiles/list.ts';
import { removeProfile } from './commands/profiles/remove.ts';
import { useProfile } from './commands/profiles/use.ts';
import { cancelRun } from './commands/runs/cancel.ts';
import { completeRun } from './commands/runs/complete.ts';
import { getRun } from './commands/runs/get.ts';
import { launchRuns } from './commands/runs/launch.ts';
import { listRuns } from './commands/runs/list.ts';
import { reopenRun } from './commands/runs/reopen.ts';
import { watchRun } from './commands/runs/watch.ts';
import { assignTask } from './commands/tasks/assign.ts';
import { completeTask } from './commands/tasks/complete.ts';
import { setTaskDue } from './commands/tasks/due.ts';
import { listTasks } from './commands/tasks/list.ts';
import { getTemplate } from './commands/templates/get.ts';
import { listTemplates } from './commands/templates/list.ts';
import { publishTemplate } from './commands/templates/publish.ts';
import { pushTemplate } from './commands/templates/push.ts';
import { createWebhook } from './commands/webhooks/create.ts';
import { listDeliveries } from './commands/webhooks/deliveries.ts';
import { listWebhooks } from './commands/webhooks/list.ts';
import { listenForEvents } from './commands/webhooks/listen.ts';
import { replayDeliveries } from './commands/webhooks/replay.ts';
import { resendDelivery } from './commands/webhooks/resend.ts';
import { signBody } from './commands/webhooks/sign.ts';
import { testWebhook } from './commands/webhooks/test.ts';
import { verifyDelivery } from './commands/webhooks/verify.ts';
import { whoami } from './commands/whoami.ts';
import { list } from './options.ts';
import { formats } from './output/print.ts';
import { version } from './version.ts';

/** Adds a command to the program or to a noun of it. */
type AddCommand = (parent: Command) => void;

const nouns: readonly (readonly [name: string, description: string, verbs: readonly AddCommand[]])[] = [
  ['runs', 'Launch runs and follow them', [launchRuns, listRuns, getRun, watchRun, completeRun, cancelRun, reopenRun]],
  ['tasks', 'Fill in and complete the tasks of a run', [listTasks, completeTask, assignTask, setTaskDue]],
  ['templates', 'Templates as files', [listTemplates, getTemplate, pushTemplate, publishTemplate]],
  [
    'webhooks',
    'Receivers of events',
    [
      listWebhooks,
      createWebhook,
      testWebhook,
      listDeliveries,
      resendDelivery,
      replayDeliveries,
      listenForEvents,
      verifyDelivery,
      signBody,
    ],
  ],
  ['profiles', 'The servers and keys that login stored', [listProfiles, useProfile, removeProfile]],
];

/** The whole command line: global options, nouns and verbs. Errors are thrown, not printed, and nothing ends the process. */
export function buildProgram(): Command {
  const program = new Command('runward')
    .description('Workflow processes from the command line.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addOption(new Option('-o, --output <format>', 'how data is printed').choices(formats))
    .option('--fields <names>', 'only these parts of each record, separated by commas', list)
    .option('--profile <name>', 'use this stored profile (RUNWARD_PROFILE)')
    .option('--base-url <url>', 'use this server (RUNWARD_BASE_URL)')
    .option('--debug', 'log requests to the standard error, without credentials')
    .option('--no-color', 'print no colours (NO_COLOR)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .addHelpText('after', notes);

  for (const add of [login, logout, whoami]) add(program);
  for (const [name, description, verbs] of nouns) {
    const noun = program.command(name).description(description);
    for (const add of verbs) add(noun);
  }
  api(program);
  addCompletion(program);
  return program;
}

const notes = `
Data goes to the standard output: a table on a terminal, JSON when piped. Everything else goes to the standard error.
The API key comes from RUNWARD_API_KEY or from "runward login"; there is no option for it, because shells keep a history.

Exit codes:
  0    done
  1    failed: no connection, the server failed, a file cannot be read, some rows were not launched, the run was cancelled
  2    wrong usage
  3    not found
  4    not allowed: no key, a wrong key, a missing scope, a template out of reach, a feature the plan lacks
  5    too many requests
  6    refused: invalid input, or the process does not allow it now
  130  stopped with Ctrl-C

Examples:
  $ runward login
  $ runward templates push onboarding.json --publish
  $ runward runs launch --template "Onboarding" --title "Onboarding: Ada"
  $ runward runs list --status OVERDUE -o csv > overdue.csv
  $ runward tasks complete RUN "Sign the contract"`;
