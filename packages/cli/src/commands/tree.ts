import type { Command } from 'commander';
import type { Action } from '../action.ts';
import { addHelp } from './help.ts';

/** Adds the options and the action of a command to the program or to one of its nouns. */
export type AddCommand = (parent: Command, action: Action) => void;

/**
 * A command. Its file is loaded only if the command line names it, so that other commands do not wait for its imports.
 */
export interface Leaf {
  readonly description: string;
  readonly load: () => Promise<AddCommand>;
  /** An earlier name of another command, which help and completion leave out. */
  readonly isHidden?: true;
}

/** A noun with its commands. */
export interface Branch {
  readonly description: string;
  readonly commands: () => Promise<CommandTree>;
}

/** Commands by name, in the order of the help. */
export type CommandTree = Readonly<Record<string, Leaf | Branch>>;

/** A {@link Leaf}. */
export function leaf(description: string, load: Leaf['load']): Leaf {
  return { description, load };
}

/** A {@link Leaf} that help and completion leave out. */
export function hidden(description: string, load: Leaf['load']): Leaf {
  return { description, load, isHidden: true };
}

/** A {@link Branch}. */
export function branch(description: string, commands: Branch['commands']): Branch {
  return { description, commands };
}

/**
 * Adds commands to the program or to a noun. Commands that the command line names get their options; the others only
 * get a description.
 */
export async function addCommands(
  parent: Command,
  tree: CommandTree,
  isNamed: (name: string) => boolean,
  action: Action,
): Promise<void> {
  for (const [name, entry] of Object.entries(tree)) {
    if ('load' in entry && isNamed(name)) {
      (await entry.load())(parent, action);
      parent.commands.at(-1)?.description(entry.description);
    } else {
      const command = parent.command(name, { hidden: 'isHidden' in entry }).description(entry.description);
      if ('commands' in entry && isNamed(name)) await addCommands(command, await entry.commands(), isNamed, action);
    }
  }
  addHelp(parent);
}
