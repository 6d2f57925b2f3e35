import { parseArgs } from 'node:util';
import { groupNames } from '../endpoint-tools/operations.ts';
import { parseGroups } from '../groups.ts';
import { ToolError } from '../tool-error.ts';

/** What `runward-mcp --help` prints. */
export const help = `Usage: runward-mcp [options]

Serves tools and resources of Runward to a language model, by the Model Context Protocol on standard input and output. An application such as
an editor starts it. It can do what its API key may do.

Options:
  --groups LIST    also offer a tool for each endpoint of these groups, separated by commas, or "all":
                   ${groupNames.join(', ')}
  --read-only      offer only tools that change nothing
  --profile NAME   use the server and the key of this profile, which "runward login" stored
  --help           print this help
  --version        print the version

Environment:
  RUNWARD_API_KEY   the API key (sk_live_…); default: that of the profile
  RUNWARD_BASE_URL  the URL of the server; default: that of the profile, else http://127.0.0.1:3000
  RUNWARD_PROFILE   the name of the profile; default: the current one
  RUNWARD_CONFIG    the file of the profiles
`;

/** A command line of `runward-mcp`. */
export type CommandLine =
  | { readonly print: 'help' | 'version' }
  | {
      readonly print: null;
      readonly groups: readonly string[];
      readonly readOnly: boolean;
      readonly profile: string | undefined;
    };

/**
 * Parses the arguments after `runward-mcp`.
 *
 * @throws ToolError if they are invalid
 */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { help: isHelp, version, groups, 'read-only': readOnly, profile } = parse(args);
  if (isHelp === true) return { print: 'help' };
  if (version === true) return { print: 'version' };
  return { print: null, groups: parseGroups(groups ?? ''), readOnly: readOnly ?? false, profile };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        groups: { type: 'string' },
        'read-only': { type: 'boolean' },
        profile: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new ToolError(`${error instanceof Error ? error.message : String(error)}. See: runward-mcp --help`);
  }
}
