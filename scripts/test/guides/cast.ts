import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@runward/testing/database';
import { newOrganization } from '@runward/testing/organization';
import type { SharedApp } from '@runward/testing/use-shared-app';
import { fillFolder } from './files.ts';
import { recordsOf, type Records } from './records.ts';
import { setUps } from './set-ups.ts';
import type { Ended, Place, RunLine } from './shell.ts';

/** The set-up for the command lines of a page: an organization, and a folder with the files that they read. */
export interface Cast extends AsyncDisposable {
  readonly cwd: string;
  /** Runs a command line. Replaces `RUN`, `TASK` and the other placeholders by records. */
  run(line: string): Promise<Ended>;
}

/** Commands that ask on a terminal whether to go on. */
const asking = /templates apply|webhooks replay/;

/** Text of a line and its replacement: the same for all lines, or made for the given line. */
type Placeholder = readonly [pattern: RegExp, replacement: (line: string) => string | Promise<string>];

/** Creates the set-up of a page. `runLine` runs its command lines. */
export async function castOf(page: string, app: SharedApp, runLine: RunLine): Promise<Cast> {
  const stack = new AsyncDisposableStack();
  const org = await newOrganization(app);
  const cwd = mkdtempSync(join(tmpdir(), 'runward-guides-'));
  stack.defer(() => rmSync(cwd, { recursive: true }));
  const service = { baseUrl: app.baseUrl, apiKey: org.apiKey, signingSecret: org.signingSecret };
  await fillFolder(cwd, service);
  const place: Place = {
    cwd,
    env: {
      HOME: cwd,
      RUNWARD_API_KEY: org.apiKey,
      RUNWARD_BASE_URL: app.baseUrl,
      RUNWARD_SIGNING_SECRET: org.signingSecret,
      ...(page.endsWith('operations.md') && { DATABASE_URL: await emptyDatabase(stack) }),
    },
  };
  const must = async (line: string): Promise<string> => {
    const { code, stdout, stderr } = await runLine(line, place);
    if (code !== 0) throw new Error(`${line} ended with ${code}: ${stderr}`);
    return stdout;
  };
  const first = 'runward templates apply examples/templates/employee-onboarding.json --publish --yes';
  await must(first);
  const records = stack.use(await recordsOf(org, app));
  let printed: Record<string, string> = {};
  const all = placeholdersOf(records, must, { cwd, baseUrl: app.baseUrl }, (name) => printed[name] ?? '');

  const run = async (line: string): Promise<Ended> => {
    const filled = await fill(asking.test(line) && !/--yes|--dry-run/.test(line) ? `${line} --yes` : line, all);
    const ended = await runLine(filled, place);
    if (/^\{[^]*\}\s*$/.test(ended.stdout)) printed = { ...printed, ...jsonOf(ended.stdout) };
    return ended;
  };
  for (const line of setUps[page] ?? []) await must(await fill(line, all));
  return { cwd, run, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function emptyDatabase(stack: AsyncDisposableStack): Promise<string> {
  const { url, drop } = await createDatabase();
  stack.defer(drop);
  return url;
}

/** The strings in a JSON object. None if the text is a list of objects. */
function jsonOf(text: string): Record<string, string> {
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    return {};
  }
}

/** The first id in JSON. */
function idIn(text: string): string {
  return /(?<="id":\s*")[^"]+/.exec(text)?.[0] ?? '';
}

async function fill(line: string, all: readonly Placeholder[]): Promise<string> {
  let filled = line;
  for (const [pattern, replacement] of all) {
    for (let match = pattern.exec(filled); match; match = pattern.exec(filled)) {
      const value = await replacement(line);
      filled = filled.slice(0, match.index) + value + filled.slice(match.index + match[0].length);
    }
  }
  return filled;
}

function placeholdersOf(
  records: Records,
  must: (line: string) => Promise<string>,
  { cwd, baseUrl }: { readonly cwd: string; readonly baseUrl: string },
  printed: (name: string) => string,
): readonly Placeholder[] {
  const attach = (runId: string, file: string) =>
    must(`runward files upload ${runId} "File the signed contract" contract_document attached/${file}`);
  const upload = async (line: string) =>
    idIn(await attach(await records.runFor(''), line.includes('gunzip') ? 'log.txt.gz' : 'other.pdf'));
  const runWithFile = async () => {
    const runId = await records.runFor('');
    await attach(runId, 'other.pdf');
    return runId;
  };
  const webhookId = async () => (await records.delivery()).webhookId;
  const slug = `suppliers-${randomUUID().slice(0, 8)}`;
  return [
    [/https:\/\/runward\.example\.com/, () => baseUrl],
    [
      /https:\/\/\w+\.example\.com\/hooks|http:\/\/localhost:\d+\/(?:hooks|webhooks)/,
      async () => (await records.receiver()).url,
    ],
    [/\b(?:ada|hr)@example\.com/, async () => (await records.colleague()).email],
    // Slugs are unique over all organizations.
    [/(?<=portals .*)\bsuppliers(?!-)/, () => slug],
    [
      /\bWEBHOOK DELIVERY\b/,
      async () => {
        const made = await records.delivery();
        return `${made.webhookId} ${made.deliveryId}`;
      },
    ],
    [/\bWEBHOOK\b|(?<=webhooks\/)ID\b|(?<=webhooks test )ID\b/, webhookId],
    [/(?<=files zip --run )RUN\b/, runWithFile],
    [/\bRUN\b/, records.runFor],
    [/\bTASK\b/, records.taskFor],
    [/\bFILE\b/, upload],
    [/\bFIELD\b|\$FIELD\b/, () => records.fileFieldId],
    [/\bGROUP\b/, records.group],
    [/\bROW\b|\bSUPPLIER\b/, async () => (await records.dataSource('Suppliers')).rowId],
    [/\bORDER\b/, async () => (await records.dataSource('Orders')).rowId],
    [/\bSUPPLIERS\b/, async () => (await records.dataSource('Suppliers')).id],
    [/\bHASH\b/, () => jsonOf(readFileSync(join(cwd, 'run.jsonl'), 'utf8').split('\n')[0] ?? '')['hash'] ?? ''],
    [/\bshare_TOKEN\b/, records.shareToken],
    [/\bCOLUMN\b/, () => printed('id')],
    [/(?<=key revoke )ID\b/, async () => idIn(await must('npm run admin -- key list --organization Acme --json'))],
    [/\bID\b/, () => records.templateId],
    [
      /"runTaskId": "…", "values": \[\{ "runTaskFieldId": "…"/,
      async () => {
        const { runTaskId, runTaskFieldId } = await records.form();
        return `"runTaskId": "${runTaskId}", "values": [{ "runTaskFieldId": "${runTaskFieldId}"`;
      },
    ],
    [/(?<="runTaskFieldId": ")…/, () => records.fileFieldId],
    [/(?<="executionEntryId": ")…|\$ENTRY\b/, records.openEntry],
    [/(?<="idempotencyKey": ")…/, () => randomUUID()],
    [/(?<="fileId": ")…/, () => printed('fileId')],
    [/\$UPLOAD_URL/, () => printed('uploadUrl')],
  ];
}
