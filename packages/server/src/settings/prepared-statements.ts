const parameter = 'prepared_statements';

/** The URL of a database whose connections do not name the statements that they prepare. */
export function withoutPreparedStatements(url: string): string {
  const changed = new URL(url);
  changed.searchParams.set(parameter, 'false');
  return changed.href;
}

/** Whether connections of a URL may name the statements that they prepare, and use them again. */
export function preparesStatements(url: string): boolean {
  return new URL(url).searchParams.get(parameter) !== 'false';
}
