import type { Command } from 'commander';
import { examineParts, readSettings } from '../../check/check.ts';
import { examineData, type DataFindings, type DataOptions } from '../../check/data/examine-data.ts';
import { hasEmbedded } from '../../check/database.ts';
import type { Finding } from '../../check/part.ts';
import { printed } from '../../check/print.ts';
import type { Config } from '../../config.ts';
import { CommandError, commandError, usageError } from '../command-error.ts';
import { withServiceUrl } from '../database.ts';
import type { Io } from '../io.ts';
import { progressLine } from '../progress-line.ts';

interface Options {
  readonly json?: boolean;
  readonly sample: string;
  readonly strict?: boolean;
}

/** `doctor`. */
export function addDoctorCommand(program: Command, io: Io): void {
  program
    .command('doctor')
    .description(
      'Check the whole installation: settings, what they name, PostgreSQL, disks, backlog, and a sample of the data',
    )
    .option('--sample <number>', 'how many organizations, runs and files to read, 1 to 1000', '20')
    .option('--strict', 'exit with 1 also if there are only warnings')
    .action((_options: unknown, command: Command) => doctor(io, command.optsWithGlobals<Options>()));
}

async function doctor(io: Io, { json = false, sample: text, strict = false }: Options): Promise<void> {
  const sample = Number(text);
  if (!/^\d{1,4}$/.test(text) || sample < 1 || sample > 1_000) {
    throw usageError('--sample: must be a whole number from 1 to 1000');
  }
  const line = progressLine(io);
  const onPart = (part: string) => line.show(`checking: ${part}`);
  onPart('settings');
  const { config, findings: ofSettings } = readSettings(io.env);
  let found: DataFindings = { findings: [], isOtherVersion: false };
  try {
    if (config !== null) found = await examineAll(config, { sample, onPart });
  } finally {
    line.clear();
  }
  const all = [...ofSettings, ...found.findings];
  io.stdout.write(printed(all, { json }));
  if (config === null) throw new CommandError(78, ['The settings are wrong; nothing else was checked.']);
  if (found.isOtherVersion) throw new CommandError(78, ['This program cannot use the database.']);
  const count = (status: Finding['status']) => all.filter((finding) => finding.status === status).length;
  const [wrong, warnings] = [count('WRONG'), count('WARNING')];
  if (wrong > 0) throw commandError(`${wrong} of ${all.length} checks found something wrong.`);
  if (strict && warnings > 0) throw commandError(`${warnings} of ${all.length} checks have warnings.`);
}

/** A stopped embedded database is started for the duration of the command, but none is created. */
async function examineAll(config: Config, options: DataOptions): Promise<DataFindings> {
  const examineBoth = async (url: string): Promise<DataFindings> => {
    options.onPart('what the settings name');
    const findings = await examineParts(config);
    const ofData = await examineData(config, url, options);
    return { ...ofData, findings: [...findings, ...ofData.findings] };
  };
  if (config.databaseUrl !== undefined) return examineBoth(config.databaseUrl);
  if (!(await hasEmbedded(config.dataDir))) return { findings: await examineParts(config), isOtherVersion: false };
  try {
    return await withServiceUrl(config, examineBoth);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const data: Finding = { name: 'data', status: 'WRONG', message: error.message };
    return { findings: [...(await examineParts(config)), data], isOtherVersion: false };
  }
}
