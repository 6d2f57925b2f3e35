/** The SQLSTATE of a PostgreSQL error, or the code of another error. Empty if it has none. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  if (isOfPooler(error)) return connectionFailure;
  if (error.code !== internalError || !(error instanceof Error)) return String(error.code);
  const { message } = error;
  return lostCodes.find(([beginning]) => message.startsWith(beginning))?.[1] ?? internalError;
}

/**
 * Whether an error is one of PgBouncer itself: always a fatal protocol_violation, and mostly because the
 * connection to PostgreSQL was lost or cannot be made. For PostgreSQL, a protocol_violation is not fatal.
 */
function isOfPooler(error: { readonly code: unknown }): boolean {
  return error.code === '08P01' && 'severity' in error && error.severity === 'FATAL';
}

const internalError = 'XX000';
/** Citus passes on the errors of a part of a statement as internal errors. */
const lostCodes = [
  ['failure on connection marked as essential', '08006'],
  ['duplicate key value violates unique constraint', '23505'],
  ['deadlock detected', '40P01'],
  ['could not serialize access', '40001'],
  ['canceling statement due to lock timeout', '55P03'],
  ['canceling statement due to', '57014'],
] as const;

const uniqueViolation = '23505';

/** Whether an error means that a row with the same key exists. `constraint` is the name of the unique constraint. */
export function violates(error: unknown, constraint: string): boolean {
  if (codeOf(error) !== uniqueViolation) return false;
  const { constraint: named, message } = error as { constraint?: unknown; message?: unknown };
  // Citus names it in the message only, with the number of a shard.
  return named === constraint || new RegExp(`\\b${constraint}_\\d+\\b`).test(String(message));
}

/**
 * Whether an error means that the database to create exists: duplicate_database, or unique_violation if two processes
 * create it at the same time.
 */
export function isDuplicateDatabase(error: unknown): boolean {
  return ['42P04', uniqueViolation].includes(codeOf(error));
}

/** Whether an error means that a lock was not granted within `lock_timeout`: lock_not_available. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Whether PostgreSQL ended a statement because of `statement_timeout` or a cancel request: query_canceled. */
export function isCancelled(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/** Whether the user of the connection may not do what a statement does: insufficient_privilege. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === '42501';
}

/** serialization_failure, deadlock_detected. */
const rolledBack = new Set(['40001', '40P01']);

/** Whether PostgreSQL rolled the transaction back because of other transactions, so that it can be repeated. */
export function isRetryable(error: unknown): boolean {
  return rolledBack.has(codeOf(error));
}

/** The error of a statement that relied on what others have changed since. The transaction is repeated. */
export function changedMeanwhile(): Error {
  return Object.assign(new Error('What a statement relied on has changed since it was read.'), { code: '40001' });
}

const connectionFailure = '08006';

/**
 * Turns the error of a connection that could not be opened or was lost, which the driver reports in many ways, into one
 * with a SQLSTATE.
 */
export function failedConnection(error: unknown): Error {
  const reason = error instanceof Error && error.message !== '' ? error.message : codeOf(error);
  const failure = new Error(`The connection to PostgreSQL failed: ${reason}`, { cause: error });
  return Object.assign(failure, { code: connectionFailure });
}

/** disk_full of PostgreSQL, and the codes of a file system. */
const noSpace = new Set(['53100', 'ENOSPC', 'EDQUOT']);

/** Whether an error means that the disk of PostgreSQL or of files is full. */
export function isOutOfSpace(error: unknown): boolean {
  return noSpace.has(codeOf(error));
}

/**
 * connection_failure, idle_in_transaction_session_timeout, admin_shutdown, crash_shutdown, cannot_connect_now,
 * idle_session_timeout.
 */
const connectionEnded = new Set([connectionFailure, '25P03', '57P01', '57P02', '57P03', '57P05']);

/** insufficient_resources, out_of_memory, configuration_limit_exceeded, lock_not_available, query_canceled. */
const overloaded = new Set(['53000', '53200', '53400', '55P03', '57014']);

/** Whether PostgreSQL cannot do this at the moment because of its state, and not because of the statement. */
export function isUnavailable(error: unknown): boolean {
  return connectionEnded.has(codeOf(error)) || overloaded.has(codeOf(error)) || isRetryable(error);
}

/** Whether an error means that a connection to PostgreSQL was lost, and not something else. */
export function isConnectionLoss(error: unknown): boolean {
  return (
    connectionEnded.has(codeOf(error)) ||
    (error instanceof Error && error.message.startsWith('Connection terminated unexpectedly'))
  );
}

/**
 * Whether PostgreSQL returned this error for a statement, after which the transaction cannot be committed. No SQLSTATE
 * begins with an E, unlike codes of sockets such as `EPIPE`.
 */
export function isStatementError(error: unknown): boolean {
  return /^[0-9FHPX][0-9A-Z]{4}$/.test(codeOf(error)) && !connectionEnded.has(codeOf(error));
}

/**
 * Errors about a value and not about a statement: string_data_right_truncation, numeric_value_out_of_range,
 * invalid_datetime_format, datetime_field_overflow, invalid_time_zone_displacement_value, character_not_in_repertoire,
 * invalid_json_text, invalid_text_representation, invalid_binary_representation, untranslatable_character, and
 * program_limit_exceeded, which a value that is too long for an index causes.
 */
const unstorable = new Set([
  '22001',
  '22003',
  '22007',
  '22008',
  '22009',
  '22021',
  '22032',
  '22P02',
  '22P03',
  '22P05',
  '54000',
]);

/** Whether PostgreSQL rejected a value because it cannot represent or store it. */
export function isUnstorable(error: unknown): boolean {
  return unstorable.has(codeOf(error));
}

/** A program must not use a database that another version of the service, or another program, has made. */
export class SchemaError extends Error {
  override name = 'SchemaError';
  /** A clause, as `schemaProblem` returns it. */
  readonly problem: string;

  constructor(problem: string) {
    super(`${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`);
    this.problem = problem;
  }
}
