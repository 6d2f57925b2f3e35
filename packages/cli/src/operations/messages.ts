import type { Operation } from '@runward/contract';

/** The inputs and the result of an operation. */
interface Done {
  readonly name: string;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly response: unknown;
}

/** What a command says for people about its operation. */
interface Messages {
  /** The kind of the record that messages name. */
  readonly names?: 'page' | 'portal' | 'view';
  /** The question before a deletion. */
  readonly question?: (name: string) => string;
  /** The message after the operation, instead of its result. */
  readonly done: (done: Done) => string;
}

/** Messages for operations that need more than the standard question, made of the summary, and the printed result. */
export const messages: Readonly<Partial<Record<Operation, Messages>>> = {
  'runs.archive': counting('archived'),
  'runs.unarchive': counting('unarchived'),
  'savedViews.delete': deletion('view'),
  'portals.delete': deletion('portal', ' with its pages'),
  'portals.pages.delete': deletion('page'),
  'sharedTemplates.revoke': { done: () => 'Revoked the share. Templates that were imported with it stay.' },
};

function counting(word: 'archived' | 'unarchived'): Messages {
  return {
    done({ sent, response }) {
      const { [word]: count } = response as Readonly<Record<string, number>>;
      return `${count} of ${(sent['runIds'] as readonly string[]).length} ${word}.`;
    },
  };
}

function deletion(kind: NonNullable<Messages['names']>, more = ''): Messages {
  return {
    names: kind,
    question: (name) => `Delete the ${kind} "${name}"${more}?`,
    done: ({ name }) => `Deleted the ${kind} "${name}".`,
  };
}
