import { formats, type FieldValue } from '@runward/contract';
import { simulate, type ProcessDocument, type Simulation, type SimulationSettings } from '@runward/engine';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import type { Cli } from '../../cli.ts';
import { exitCodes } from '../../errors.ts';
import { examples, wholeNumber } from '../../options.ts';
import { printRecord, type Output } from '../../output/print.ts';
import { printable } from '../../output/printable.ts';
import { anyPeople } from '../../template-file/people.ts';
import { readTemplateFile } from '../../template-file/read-file.ts';
import { toReport, type PathReport, type SimulationReport } from '../../template-file/simulation-report.ts';
import { checkDocument } from '../../template-file/to-replacement.ts';
import { nameOf, readText } from '../../terminal/input.ts';

interface SimulateOptions {
  readonly paths?: true | number;
  readonly cases: number;
  readonly strict?: boolean;
}

/** `runward templates simulate`: explores the possible runs of a template file, without a server. */
export function simulateTemplate(templates: Command, action: Action): void {
  templates
    .command('simulate')
    .argument('<file>', 'JSON file of the template; - is stdin')
    .option('--paths [count]', 'list the paths, at most this many (default: 100)', wholeNumber(1))
    .option('--cases <count>', 'cases to try for a question before a sample is taken', wholeNumber(1), 10_000)
    .option('--strict', 'fail for warnings, too')
    .addHelpText(
      'after',
      `\n${explanation}\n${examples(
        'runward templates simulate onboarding.json',
        'runward templates simulate onboarding.json --paths 20 -o table',
        'runward templates simulate onboarding.json --strict -o json > simulation.json',
      )}`,
    )
    .action(
      action(async (cli, path: string, { paths, cases, strict }: SimulateOptions) => {
        const file = readTemplateFile(await readText(cli.io, path, 'the template'), nameOf(path));
        const people = anyPeople();
        const document = checkDocument(file, nameOf(path), true, people);
        const listed = paths === undefined ? 0 : paths === true ? 100 : paths;
        const report = toReport(document, await simulated(cli, document, { cases, paths: listed }), people);
        await print(cli.output, report, paths !== undefined);
        const failing = strict ? ['ERROR', 'WARNING'] : ['ERROR'];
        if (report.findings.some(({ severity }) => failing.includes(severity))) return exitCodes.rejected;
      }),
    );
}

const explanation = `Reports how many paths a run can take, tasks and fields that are never visible, rules that never or always match, tasks
that cannot be completed, and runs without a task at launch. The exit code is 6 if there are errors.`;

/** Runs a simulation. Pauses regularly, so that it can be interrupted. */
async function simulated(cli: Cli, document: ProcessDocument, settings: SimulationSettings): Promise<Simulation> {
  const progress = cli.progress({ line: (done) => `Cases tried: ${done}`, lineIntervalMs: null });
  const steps = simulate(document, formats, settings);
  let pausedAt = Date.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) {
      progress.end();
      return step.value;
    }
    progress.advance(step.value);
    if (Date.now() - pausedAt < pauseEveryMs) continue;
    await cli.pause(0);
    pausedAt = Date.now();
  }
}

const pauseEveryMs = 50;

async function print(output: Output, report: SimulationReport, withPaths: boolean): Promise<void> {
  const fields = ['pathCount', 'complete', 'tried', 'combinations', 'findings', ...(withPaths ? ['paths'] : [])];
  if (output.format !== 'table' || output.fields) {
    const record = Object.fromEntries(Object.entries(report).filter(([name]) => fields.includes(name)));
    return printRecord(output, record, { columns: fields, fields });
  }
  const { findings, paths } = report;
  output.write(summary(report));
  for (const { severity, message } of findings) output.write(printable(`${severity.padEnd(7)}  ${message}`));
  if (paths.length < report.pathCount && withPaths) output.write(`\nA sample of ${paths.length} paths:`);
  for (const [index, path] of paths.entries()) output.write(`\n${pathText(path, index + 1)}`);
}

function summary({ pathCount, complete, tried, combinations, findings }: SimulationReport): string {
  const count = (severity: string, name: string) => {
    const { length } = findings.filter((finding) => finding.severity === severity);
    return length === 0 ? [] : [length === 1 ? `1 ${name}` : `${length} ${name}s`];
  };
  const counts = [...count('ERROR', 'error'), ...count('WARNING', 'warning'), ...count('NOTE', 'note')];
  const paths = `${numeral(pathCount)} ${pathCount === 1 ? 'path' : 'paths'}`;
  const basis = complete
    ? `all ${numeral(combinations)} combinations of values`
    : `a sample of ${numeral(tried)} of ${numeral(combinations)} combinations of values; there may be more`;
  return `${paths}, from ${basis}. Findings: ${counts.join(', ') || 'none'}.`;
}

function numeral(number: number): string {
  return number < 1e15 ? number.toLocaleString('en-US') : number.toExponential(1);
}

function pathText(path: PathReport, number: number): string {
  const { choices, tasks, open, completed, variables, assigned } = path;
  const chosen = choices.map(({ field, variable, value }) => `${field ?? variable} = ${valueText(value)}`);
  const hidden = [...path.hiddenTasks, ...path.hiddenFields];
  const lines = [
    tasks.join(' > '),
    open.length > 0 ? `${completed ? 'left open' : 'the run stays open with'}: ${open.join(', ')}` : '',
    completed || open.length > 0 ? '' : 'the run never completes by itself',
    hidden.length > 0 ? `hidden: ${hidden.join(', ')}` : '',
    ...Object.entries(variables).map(([key, value]) => `${key} becomes ${valueText(value)}`),
    ...assigned.map(
      ({ task, assignee, assigneeGroup }) => `${task} is assigned to ${assignee ?? assigneeGroup ?? 'no one'}`,
    ),
  ];
  const shown = lines.filter((line) => line !== '').map((line) => `   ${printable(line)}`);
  return [`${number}. ${printable(chosen.join(', ')) || 'whatever is entered'}`, ...shown].join('\n');
}

function valueText(value: FieldValue): string {
  if (value === null) return '(nothing)';
  return Array.isArray(value) ? value.join(' + ') : String(value);
}
