import type { Field, FieldValue } from '@runward/contract';
import { isFilled, traitsOf } from '@runward/engine';
import type { Client } from '@runward/sdk';
import { readValue, visibleFields, type Form } from '@runward/sdk/form';
import type { Cli } from '../cli.ts';
import { rejected, usage } from '../errors.ts';
import { fileProblem } from '../transfer/file-source.ts';
import { fieldOf } from './field-of.ts';
import { valueError } from './field-text.ts';
import { submitAnswers, type Answers, type Filled } from './submit-form.ts';

/**
 * Fills in a form from `--value key=text`; `key=@path` uploads a file to a file field. Values of hidden fields are
 * submitted once other values have shown the fields. If the values can neither show nor fill other fields, they are
 * submitted together with the completion.
 *
 * @throws CliError if a key is unknown, a text is not valid for its field, or a visible required field has no value.
 * Only fields that rules can show or hide are checked after the first values were submitted.
 */
export async function fillFromOptions(
  cli: Cli,
  client: Client,
  form: Form,
  given: readonly (readonly [string, string])[],
): Promise<Filled> {
  const answers = await readAnswers(cli, client, form, given);
  checkMissing(form, answers, ({ id }) => !form.conditional.has(id));
  const { values, files } = answers;
  const isFixed = !form.fields.some(({ id }) => form.conditional.has(id)) && filledBy(form, values).size === 0;
  if (isFixed && files.size === 0) return { form, values };
  const current = await submitInTurn(cli, client, form, answers);
  const nothing: Answers = { values: new Map(), files: new Map() };
  checkMissing(current, nothing, () => true);
  return { form: current, values: nothing.values };
}

/**
 * Submits the values and files of `--value key=text`, like {@link fillFromOptions}, but allows missing required fields.
 * Returns the changed form.
 *
 * @throws CliError if a key is unknown, a text is not valid for its field, or a field stays hidden
 */
export async function saveFromOptions(
  cli: Cli,
  client: Client,
  form: Form,
  given: readonly (readonly [string, string])[],
): Promise<Form> {
  return submitInTurn(cli, client, form, await readAnswers(cli, client, form, given));
}

/** Submits answers in steps: values of hidden fields follow once other values have shown the fields. */
async function submitInTurn(cli: Cli, client: Client, form: Form, answers: Answers): Promise<Form> {
  const waiting = new Set([...answers.values.keys(), ...answers.files.keys()]);
  let current = form;
  while (waiting.size > 0) {
    const visible = visibleFields(current).filter(({ id }) => waiting.has(id));
    if (visible.length === 0) throw rejected(...hiddenMessages(form, waiting));
    current = await submitAnswers(cli, client, current, only(answers, new Set(visible.map(({ id }) => id))));
    for (const { id } of visible) waiting.delete(id);
  }
  return current;
}

async function readAnswers(
  { io }: Cli,
  client: Client,
  form: Form,
  given: readonly (readonly [string, string])[],
): Promise<Answers> {
  const values = new Map<string, FieldValue>();
  const files = new Map<string, string[]>();
  const errors: string[] = [];
  for (const [key, text] of given) {
    const field = fieldOf(form, key);
    const { refersTo, isList } = traitsOf(field.type);
    const paths = files.get(field.id);
    if (values.has(field.id) || (paths && !isList)) {
      throw usage(`--value names "${key}" twice; only files of a FILE_UPLOAD field can be several: ${key}=@PATH.`);
    }
    if (refersTo === 'file' && text.startsWith('@')) {
      const path = text.slice(1);
      const problem = path === '-' ? null : fileProblem(io, path);
      if (problem === null) files.set(field.id, [...(paths ?? []), path]);
      else errors.push(`--value ${key}: ${path} cannot be read: ${problem}.`);
      continue;
    }
    const value = await readValue(client, field, text);
    const error = valueError(field, value);
    if (error === null) values.set(field.id, value);
    else errors.push(`--value ${key}: ${error}`);
  }
  if (errors.length > 0) throw rejected(...errors);
  return { values, files };
}

function only({ values, files }: Answers, ids: ReadonlySet<string>): Answers {
  return {
    values: new Map([...values].filter(([id]) => ids.has(id))),
    files: new Map([...files].filter(([id]) => ids.has(id))),
  };
}

function hiddenMessages({ fields }: Form, ids: ReadonlySet<string>): string[] {
  return fields
    .filter(({ id }) => ids.has(id))
    .map(
      ({ key, label }) =>
        `--value ${key}: "${label}" is hidden by a rule; leave it out, or change what the rule depends on.`,
    );
}

function checkMissing(form: Form, { values, files }: Answers, isChecked: (field: Field) => boolean): void {
  const fillable = filledBy(form, values);
  const empty = visibleFields(form).filter((field) => {
    const { id, required } = field;
    if (!required || !isChecked(field) || files.has(id) || (fillable.has(id) && !values.has(id))) return false;
    return !isFilled((values.has(id) ? values.get(id) : form.values.get(id)) ?? null);
  });
  if (empty.length === 0) return;
  throw rejected(
    `The form of "${form.task.title}" has required fields without a value. Set them, run the command on a terminal to be asked, or skip the form with --direct:`,
    ...empty.map((field) => {
      const { key, label, type, options } = field;
      const choices = options.length > 0 ? `: ${options.map((option) => option.key).join(', ')}` : '';
      return `--value ${key}=${traitsOf(field.type).refersTo === 'file' ? '@PATH' : '…'}  (${label}, ${type}${choices})`;
    }),
  );
}

/** The fields that row values among the answers may fill. Only the service knows whether they do. */
function filledBy({ fields }: Form, values: Answers['values']): ReadonlySet<string> {
  const lookups = fields.filter(({ id }) => (values.get(id) ?? null) !== null);
  return new Set(lookups.flatMap(({ dataSource }) => dataSource?.autoFill.map(({ fieldId }) => fieldId) ?? []));
}
