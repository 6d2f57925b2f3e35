import { canonicalJson, verifyChain, type ChainProblem, type HashedLine } from '@runward/engine';
import { z } from 'zod';
import { rejected } from '../errors.ts';

/** The first line of an export: the run, its number of activity lines, and the hash of the last one. */
export interface AuditHeader {
  readonly runId: string;
  readonly publicId: string;
  readonly count: number;
  readonly hash: string;
}

/** An export, and the first problem in its lines, or null. */
export interface VerifiedExport {
  readonly header: AuditHeader;
  readonly lines: readonly HashedLine[];
  readonly problem: ChainProblem | null;
}

const format = 'runward.audit.1';

const header = z.strictObject({
  format: z.literal(format),
  runId: z.string(),
  publicId: z.string(),
  count: z.int().min(1),
  hash: z.string(),
});

/** The text of an export, as lines of canonical JSON: the header, then the activity, oldest first. */
export function toExport(of: AuditHeader, lines: readonly HashedLine[]): string {
  return [{ format, ...of }, ...lines].map((line) => `${canonicalJson(line)}\n`).join('');
}

/**
 * Reads and verifies an export. `path` names it in errors.
 *
 * @throws CliError if the text does not begin with the header of an export
 */
export function verifyExport(text: string, path: string): VerifiedExport {
  const [first = '', ...rest] = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const parsed = header.safeParse(parse(first));
  if (!parsed.success) throw rejected(`${path} does not begin like an export of "runward audit export".`);
  const { format: _, ...of } = parsed.data;
  const lines = rest.map(parse);
  const broken = verifyChain(lines, of);
  // Parsing can hide changes of the text, such as a member that is written twice.
  const rewritten = lines.findIndex((line, index) => canonicalJson(line) !== rest[index]) + 1;
  const problem = rewritten > 0 && rewritten < (broken?.line ?? Infinity) ? asRewritten(rewritten) : broken;
  return { header: of, lines, problem: problem ?? ofAnotherRun(of, lines[0]) };
}

/** Parses a line. A line that is not a JSON object becomes an empty line of activity. */
function parse(text: string): HashedLine {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject && canonicalJson(value) !== '') return value as HashedLine;
  } catch {
    // A text that is not JSON, or nested too deeply for any activity.
  }
  return {} as HashedLine;
}

function asRewritten(line: number): ChainProblem {
  const message = `Line ${line} was changed: it is not the canonical JSON of its content.`;
  return { line, kind: 'CHANGED', message };
}

function ofAnotherRun({ runId, publicId }: AuditHeader, launch: HashedLine | undefined): ChainProblem | null {
  if (launch?.data['runId'] === runId && launch.data['publicId'] === publicId) return null;
  const message = `Line 1 is not the launch of the run ${publicId} (${runId}) that the header names.`;
  return { line: 1, kind: 'CHANGED', message };
}
