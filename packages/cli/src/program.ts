import { Command, Option } from 'commander';
import { bindAction, type Action, type Invocation } from './cli.ts';
import { analytics } from './commands/analytics.ts';
import { api } from './commands/api.ts';
import { addCompletion } from './commands/completion.ts';
import { exportActivity } from './commands/audit/export.ts';
import { verifyActivity } from './commands/audit/verify.ts';
import { createDataSource } from './commands/data/create.ts';
import { exportDataRows } from './commands/data/export.ts';
import { importDataRows } from './commands/data/import.ts';
import { listDataSources } from './commands/data/list.ts';
import { listDataRows } from './commands/data/rows.ts';
import { downloadFile } from './commands/files/download.ts';
import { listFiles } from './commands/files/list.ts';
import { fileStatus } from './commands/files/status.ts';
import { uploadFiles } from './commands/files/upload.ts';
import { zipFiles } from './commands/files/zip.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { createPortal } from './commands/portals/create.ts';
import { deletePortal } from './commands/portals/delete.ts';
import { getPortal } from './commands/portals/get.ts';
import { listPortals } from './commands/portals/list.ts';
import { portalPages } from './commands/portals/pages.ts';
import { publishPortal } from './commands/portals/publish.ts';
import { unpublishPortal } from './commands/portals/unpublish.ts';
import { listProfiles } from './commands/profiles/list.ts';
import { removeProfile } from './commands/profiles/remove.ts';
import { useProfile } from './commands/profiles/use.ts';
import { approveTask } from './commands/runs/approve.ts';
import { cancelRun } from './commands/runs/cancel.ts';
import { completeRun } from './commands/runs/complete.ts';
import { explainRun } from './commands/runs/explain.ts';
import { exportRuns } from './commands/runs/export.ts';
import { getRun } from './commands/runs/get.ts';
import { launchRuns } from './commands/runs/launch.ts';
import { listRuns } from './commands/runs/list.ts';
import { migrateRunsToVersion } from './commands/runs/migrate.ts';
import { rejectTask } from './commands/runs/reject.ts';
import { reopenRun } from './commands/runs/reopen.ts';
import { unarchiveRuns } from './commands/runs/unarchive.ts';
import { archiveRuns } from './commands/runs/archive.ts';
import { waitForRun } from './commands/runs/wait.ts';
import { watchRun } from './commands/runs/watch.ts';
import { assignTask } from './commands/tasks/assign.ts';
import { completeTask } from './commands/tasks/complete.ts';
import { setTaskDue } from './commands/tasks/due.ts';
import { fillTask } from './commands/tasks/fill.ts';
import { reopenTask } from './commands/tasks/reopen.ts';
import { unblockTask } from './commands/tasks/unblock.ts';
import { waitForTask } from './commands/tasks/wait.ts';
import { updateTasks } from './commands/tasks/update.ts';
import { listTasks } from './commands/tasks/list.ts';
import { applyTemplate, pushTemplate } from './commands/templates/apply.ts';
import { getTemplate } from './commands/templates/get.ts';
import { importTemplate } from './commands/templates/import.ts';
import { listTemplates } from './commands/templates/list.ts';
import { planTemplate } from './commands/templates/plan.ts';
import { publishTemplate } from './commands/templates/publish.ts';
import { pullTemplate } from './commands/templates/pull.ts';
import { shareTemplate } from './commands/templates/share.ts';
import { listShares } from './commands/templates/shares.ts';
import { simulateTemplate } from './commands/templates/simulate.ts';
import { unshareTemplate } from './commands/templates/unshare.ts';
import { createView } from './commands/views/create.ts';
import { deleteView } from './commands/views/delete.ts';
import { getView } from './commands/views/get.ts';
import { listViews } from './commands/views/list.ts';
import { updateView } from './commands/views/update.ts';
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
import type { OutputStream } from './io.ts';
import { list, positiveSeconds } from './options.ts';
import { formats } from './output/print.ts';
import { version } from './version.ts';

/** Adds a command to the program or to one of its nouns. */
type AddCommand = (parent: Command, action: Action) => void;

const nouns: readonly (readonly [name: string, description: string, verbs: readonly AddCommand[]])[] = [
  [
    'runs',
    'Launch, list, export, explain and follow runs, and decide on approvals',
    [
      launchRuns,
      listRuns,
      exportRuns,
      getRun,
      explainRun,
      watchRun,
      waitForRun,
      approveTask,
      rejectTask,
      completeRun,
      cancelRun,
      reopenRun,
      archiveRuns,
      unarchiveRuns,
      migrateRunsToVersion,
    ],
  ],
  ['views', 'Manage saved views of runs', [listViews, createView, getView, updateView, deleteView]],
  [
    'tasks',
    'Complete, assign, schedule and unblock the tasks of a run',
    [listTasks, fillTask, completeTask, reopenTask, assignTask, setTaskDue, unblockTask, waitForTask, updateTasks],
  ],
  [
    'templates',
    'Manage templates as files',
    [
      listTemplates,
      getTemplate,
      pullTemplate,
      planTemplate,
      applyTemplate,
      pushTemplate,
      simulateTemplate,
      publishTemplate,
      shareTemplate,
      listShares,
      unshareTemplate,
      importTemplate,
    ],
  ],
  [
    'webhooks',
    'Manage and test webhooks',
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
  [
    'data',
    'Create, fill and list data sources',
    [listDataSources, createDataSource, importDataRows, exportDataRows, listDataRows],
  ],
  ['files', 'Upload, download and list files', [uploadFiles, listFiles, downloadFile, zipFiles, fileStatus]],
  [
    'portals',
    'Manage and publish portals',
    [listPortals, getPortal, createPortal, publishPortal, unpublishPortal, deletePortal, portalPages],
  ],
  ['audit', 'Export and verify the activity of runs', [exportActivity, verifyActivity]],
  ['profiles', 'Manage stored servers and API keys', [listProfiles, useProfile, removeProfile]],
];

/** The commands and their options. Parsing throws errors instead of printing them, and never ends the process. */
export function buildProgram(invocation: Invocation): Command {
  const { stdout, stderr } = invocation.io;
  const action = bindAction(invocation);
  const program = new Command('runward')
    .description('Workflow processes from the command line.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addOption(new Option('-o, --output <format>', 'output format').choices(formats))
    .option('--fields <names>', 'print only these fields of each record, comma-separated', list)
    .option('--profile <name>', 'stored profile to use (RUNWARD_PROFILE)')
    .option('--base-url <url>', 'URL of the server (RUNWARD_BASE_URL)')
    .option('--timeout <seconds>', 'how long to wait for a response (default: 30)', positiveSeconds)
    .option('--debug', 'log requests to stderr, without credentials')
    .option('--no-color', 'disable colors (NO_COLOR)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: () => {},
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .addHelpText('after', notes);

  for (const add of [login, logout, whoami]) add(program, action);
  for (const [name, description, verbs] of nouns) {
    const noun = program.command(name).description(description);
    for (const add of verbs) add(noun, action);
  }
  analytics(program, action);
  api(program, action);
  addCompletion(program);
  return program;
}

function widthOf({ isTTY, columns }: OutputStream): number {
  return (isTTY && columns) || 80;
}

const notes = `
Data is written to stdout, as a table on a terminal and as JSON otherwise. Everything else is written to stderr.
The API key comes from RUNWARD_API_KEY or from "runward login". It has no option, because shells keep a command history.

Exit codes:
  0    success
  1    failure: no connection, a server error, an unreadable file, rows that were not launched, runs that were not migrated, a run that ended otherwise
  2    invalid usage
  3    not found
  4    not allowed: no API key, an invalid key, a missing scope, a template outside the key's resource scope, a feature
       that is not part of the plan
  5    too many requests
  6    rejected: invalid input, errors of a simulation, or an action that the current state does not allow
  7    templates plan --exit-code: there are changes
  124  runs wait, tasks wait: the time of --within is over
  130  interrupted (Ctrl-C, SIGINT)
  143  terminated (SIGTERM)

Examples:
  $ runward login
  $ runward templates apply onboarding.json --publish
  $ runward runs launch --template "Onboarding" --title "Onboarding: Ada"
  $ runward runs list --status OVERDUE -o csv > overdue.csv
  $ runward tasks complete RUN "Sign the contract"`;
