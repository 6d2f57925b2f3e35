import { parseBounded, problemsOf, type Effect, type Scope } from '@runward/contract';
import type { Client } from '@runward/sdk';
import type { z } from 'zod';
import { inputSchemaOf, type JsonSchema } from './json-schema.ts';
import { ToolError } from './tool-error.ts';
import { unknownArguments } from './unknown-arguments.ts';

/** What a tool works with: a client with the caller's key, and the scopes of that key. */
export interface ToolContext {
  readonly client: Client;
  readonly scopes: ReadonlySet<Scope>;
}

/** The result of a tool: a sentence, and data that is small enough for a model to read. */
export interface ToolResult {
  readonly summary: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** What a tool is, apart from its input. */
interface ToolTraits {
  readonly name: string;
  /** For people. Default: the name. */
  readonly title?: string;
  /** The description for models: what the tool does, when to use it, and what it needs. */
  readonly description: string;
  /** The scopes that the key must have. With more scopes, the tool may return more. */
  readonly scopes: readonly Scope[];
  readonly effect: Effect;
  /** Whether something is lost. */
  readonly isDestructive?: boolean;
  /** Whether calling it twice has the effect of calling it once. */
  readonly isIdempotent?: boolean;
}

/** A tool that a model can call. */
export interface Tool extends ToolTraits {
  /** The JSON schema of the arguments, computed when it is first needed. */
  readonly inputSchema: () => JsonSchema;
  /**
   * Checks the arguments and does the work.
   *
   * @throws ToolError or RunwardError
   */
  readonly call: (context: ToolContext, args: unknown) => Promise<ToolResult>;
}

/** Defines a tool whose arguments have a zod schema. */
export function defineTool<Input extends z.ZodObject>(
  traits: ToolTraits & {
    readonly input: Input;
    readonly run: (context: ToolContext, input: z.output<Input>) => Promise<ToolResult>;
  },
): Tool {
  const { input, run, ...rest } = traits;
  let schema: JsonSchema | undefined;
  return {
    ...rest,
    inputSchema: () => (schema ??= inputSchemaOf(input)),
    call: (context, args) => {
      const parsed = parseBounded(input, args);
      if (!parsed.success) throw new ToolError(...problemsIn(parsed.error, Object.keys(input.shape)));
      return run(context, parsed.data);
    },
  };
}

function problemsIn({ issues }: Pick<z.core.$ZodError, 'issues'>, known: readonly string[]): string[] {
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0
      ? unknownArguments(issue.keys, known)
      : problemsOf({ issues: [issue] }, 'arguments'),
  );
}
