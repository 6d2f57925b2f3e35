import { diff, emptyProcess, type Change, type ChangedEntity, type PartProperties } from '@runward/engine';
import { isPermissionError, type Client, type Template } from '@runward/sdk';
import { rejected, usage } from '../errors.ts';
import { readDraft, readPublished, type Draft } from './draft.ts';
import { inNames } from './in-names.ts';
import { peopleInDocument, peopleInFile } from './named-people.ts';
import { readPeople } from './people.ts';
import type { TemplateFile } from './template-file.ts';
import { toReplacement, type Replacement } from './to-replacement.ts';

/** A change of a plan: a change of the API, with the names of a template file instead of ids. */
export interface PlannedChange extends Omit<Change, 'entity' | 'id'> {
  readonly entity: ChangedEntity | 'TEMPLATE';
  /** null if the part does not exist yet. */
  readonly id: string | null;
}

/** The differences between a template and a file, and the requests that apply the file. */
export interface Plan {
  /** null if the template does not exist yet. */
  readonly draft: Draft | null;
  readonly changes: readonly PlannedChange[];
  /** Whether the settings of the template differ. */
  readonly settings: boolean;
  /** The content for the draft. Null if it does not change. */
  readonly body: Replacement['body'] | null;
}

/** Which template a file is compared with. */
export interface PlanOptions {
  /** The file, in messages. */
  readonly path: string;
  /** The template. Default: the template with the name in the file. */
  readonly id?: string | undefined;
  /** Compares the file with the published version instead of the draft. */
  readonly published?: boolean | undefined;
}

/**
 * Compares a file with a template on the server.
 *
 * @throws CliError if the file does not fit, or several templates have its name
 */
export async function planFile(client: Client, file: TemplateFile, options: PlanOptions): Promise<Plan> {
  const { path, id, published } = options;
  const template = await findTarget(client, file.name, id);
  const draft = template && (await readDraft(client, template));
  const current = template && published ? await readPublished(client, template) : (draft?.document ?? emptyProcess);
  const [inFile, inDocument] = [peopleInFile(file), peopleInDocument(current)];
  const people = await readPeople(client, {
    users: inFile.users || inDocument.users,
    groups: inFile.groups || inDocument.groups,
    sources: inFile.sources || inDocument.sources,
  });
  const { body, document } = toReplacement(file, path, current, people);
  const settings = settingsChanges(file, template);
  const named = inNames({ before: current, after: document, people });
  const content = diff(current, document).map(named);
  const changes = [...settings, ...content];
  return { draft, changes, settings: settings.length > 0, body: content.length > 0 ? body : null };
}

/** The settings of a template that a file contains. */
export function settingsOf({ name, description, runTitlePattern }: TemplateFile | Template) {
  return { name, description, runTitlePattern };
}

/**
 * The number of active runs of a template, which keep their version after a publication. Null if the API key may not
 * read runs.
 */
export async function countActiveRuns({ runs }: Client, templateId: string): Promise<number | null> {
  try {
    const { RUNNING, OVERDUE } = await runs.counts({ templateId });
    return RUNNING + OVERDUE;
  } catch (error) {
    if (isPermissionError(error)) return null;
    throw error;
  }
}

function settingsChanges(file: TemplateFile, template: Template | null): PlannedChange[] {
  const [wanted, part] = [settingsOf(file), { entity: 'TEMPLATE' as const, label: file.name }];
  if (!template) return [{ kind: 'ADDED', ...part, id: null, after: wanted }];
  const now = settingsOf(template);
  const names = (Object.keys(wanted) as (keyof typeof wanted)[]).filter((name) => wanted[name] !== now[name]);
  const only = (settings: PartProperties) => Object.fromEntries(names.map((name) => [name, settings[name]]));
  return names.length === 0
    ? []
    : [{ kind: 'CHANGED', ...part, id: template.id, before: only(now), after: only(wanted) }];
}

async function findTarget({ templates }: Client, name: string, id: string | undefined): Promise<Template | null> {
  if (id !== undefined) return templates.get(id);
  const named = (await Array.fromAsync(templates.list())).filter((template) => template.name === name);
  const [found, ...others] = named.filter(({ status }) => status !== 'ARCHIVED');
  if (others.length > 0) {
    throw usage(
      `Several templates are named "${name}"; choose one with --id:`,
      ...named.map((template) => template.id),
    );
  }
  if (found) return found;
  const [archived] = named;
  if (!archived) return null;
  throw rejected(`The template "${name}" (${archived.id}) is archived. Unarchive it, or change the name in the file.`);
}
