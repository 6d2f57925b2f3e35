import { withDeadline } from '../deadline.ts';
import { MissingPackageError } from '../installation/optional-package.ts';
import { oneLine } from '../one-line.ts';
import { withoutSecrets } from '../telemetry/log.ts';
import { shortened } from '../words.ts';

/** The result of checking a part. */
export interface Finding {
  /** Like `database`. */
  readonly name: string;
  /** `OFF` means that no setting asks for this part. A warning does not keep the service from working. */
  readonly status: 'OK' | 'WARNING' | 'WRONG' | 'OFF';
  /**
   * One line. If something is wrong, it begins with the name of the setting, if one is due, and ends with what to do.
   */
  readonly message: string;
}

/** A part of the installation that can be tried. */
export interface Part {
  readonly name: string;
  /** The variable to which most errors are due, if there is one. */
  readonly setting?: string;
  /** What to do about an error that is not a `Problem`, as a clause. */
  readonly remedy: string;
  /** Tries the part and says what it found, as a clause. Throws if something is wrong. */
  readonly look: () => Promise<string>;
}

/** What to do about errors of parts that the start of the service tries, too. */
export const remedies = {
  database: 'check its host, port, user, password and name, and that PostgreSQL is running',
  dataFolder: 'give a folder in which the user of the service may write',
};

/** Something is wrong, and this is what to do about it; both are clauses. */
export class Problem extends Error {
  override name = 'Problem';
  readonly status: 'WRONG' | 'WARNING' = 'WRONG';
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** Something may become wrong, and this is what to do about it; both are clauses. */
export class Warning extends Problem {
  override name = 'Warning';
  override readonly status = 'WARNING';
}

/** A part of the settings has ended after this time. */
const usualMs = 5_000;
const longestReason = 300;

/** Tries a part. Never throws, and takes `timeoutMs` at most. */
export async function examine(part: Part, timeoutMs = usualMs): Promise<Finding> {
  try {
    const found = await withDeadline(timeoutMs, part.look(), () => {
      throw new Error(`no response within ${timeoutMs / 1_000} s`);
    });
    return { name: part.name, status: 'OK', message: oneLine(found) };
  } catch (error) {
    return findingOf(part, error);
  }
}

/** What an error says about a part. */
export function findingOf({ name, setting, remedy }: Omit<Part, 'look'>, error: unknown): Finding {
  if (error instanceof MissingPackageError) return { name, status: 'WRONG', message: error.message };
  const what = shortened(oneLine(withoutSecrets(reasonOf(error))), longestReason).replace(/\.$/, '');
  const due = error instanceof Problem ? error : { status: 'WRONG' as const, remedy };
  const prefix = setting === undefined ? '' : `${setting}: `;
  return { name, status: due.status, message: `${prefix}${what}; ${due.remedy}` };
}

/** The message of an error and of its cause. One attempt to connect may fail for each address of a host name. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  const message = error.message === '' ? error.name : error.message;
  const cause = error.cause instanceof Error ? reasonOf(error.cause) : '';
  return cause === '' || message.includes(cause) ? message : `${message} (${cause})`;
}
