import {
  isApiError,
  isNotFound,
  isRunwardError,
  isServerError,
  isValidationError,
  type Client,
  type Run,
} from '@runward/sdk';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import type { Cli } from '../../cli.ts';
import { exitCodes, messageOf, type ExitCode } from '../../errors.ts';
import { findRunId, runArgument } from '../../lookup/run.ts';
import { examples } from '../../options.ts';
import type { Layout } from '../../output/cells.ts';
import { run as layout } from '../../output/layouts.ts';
import { printList, printRecord } from '../../output/print.ts';

type Change = (client: Client, runId: string) => PromiseLike<Run>;

interface ChangeResult {
  readonly runId: string;
  readonly publicId: string | null;
  readonly outcome: string;
  readonly status: string | null;
  readonly title: string | null;
  readonly messages: readonly string[];
}

// The retries are for 429 responses.
const options = { maxRetries: 10 };

const resultsLayout: Layout = {
  columns: ['runId', 'publicId', 'outcome', 'status', 'title'],
  fields: ['runId', 'publicId', 'outcome', 'status', 'title', 'messages'],
};

/** `runward runs cancel`: one run or several. */
export function cancelRuns(runs: Command, action: Action): void {
  addRuns(runs.command('cancel'))
    .addHelpText('after', examples('runward runs cancel RUN', 'runward runs cancel RUN-7K3M9Q "Onboarding: Ada"'))
    .action(
      action((cli, texts: string[]) => changeRuns(cli, texts, 'cancelled', ({ runs }, id) => runs.cancel(id, options))),
    );
}

/** `runward runs reopen`: one run or several. */
export function reopenRuns(runs: Command, action: Action): void {
  addRuns(runs.command('reopen'))
    .addHelpText('after', examples('runward runs reopen RUN', 'runward runs reopen RUN RUN'))
    .action(
      action((cli, texts: string[]) => changeRuns(cli, texts, 'reopened', ({ runs }, id) => runs.reopen(id, options))),
    );
}

function addRuns(command: Command): Command {
  return command.argument('<run...>', `each: ${runArgument}`);
}

/** Changes each run on its own. Prints a single run as such, and a line for each of several. */
async function changeRuns(cli: Cli, texts: readonly string[], done: string, change: Change): Promise<ExitCode> {
  const client = await cli.connectToChange(texts.length === 1 ? layout : resultsLayout);
  const named = new Map<string, string>();
  for (const text of texts) named.set(await findRunId(client, text), text);
  const [only, ...others] = named.keys();
  if (only !== undefined && others.length === 0) {
    await printRecord(cli.output, await change(client, only), layout);
    return exitCodes.ok;
  }
  using _ = cli.stopGracefully(() => cli.info('Stopping after the run under way. Press Ctrl-C again to stop at once.'));
  const results: ChangeResult[] = [];
  let stopped: { readonly error: unknown } | null = null;
  for (const runId of named.keys()) {
    if (stopped || cli.io.signal.aborted) results.push(unchanged(runId, 'not tried'));
    else {
      try {
        const { publicId, status, title } = await change(client, runId);
        results.push({ runId, publicId, outcome: done, status, title, messages: [] });
      } catch (error) {
        if (!isRunwardError(error)) throw error;
        // Without a response, the run may have been changed nevertheless.
        if (isApiError(error)) results.push(unchanged(runId, 'failed', error.messages));
        else results.push(unchanged(runId, 'unclear', [messageOf(error)]));
        if (!isValidationError(error) && !isNotFound(error) && !isServerError(error)) stopped = { error };
      }
    }
  }
  for (const { runId, messages } of results)
    for (const message of messages) cli.info(`${named.get(runId)}: ${message}`);
  await printList(cli.output, results, resultsLayout);
  if (stopped) throw stopped.error;
  if (cli.io.signal.aborted) return exitCodes.interrupted;
  return results.every(({ outcome }) => outcome === done) ? exitCodes.ok : exitCodes.failure;
}

function unchanged(
  runId: string,
  outcome: 'failed' | 'unclear' | 'not tried',
  messages: readonly string[] = [],
): ChangeResult {
  return { runId, publicId: null, outcome, status: null, title: null, messages };
}
