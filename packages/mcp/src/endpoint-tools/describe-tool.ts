import { z } from 'zod';
import { ToolError } from '../tool-error.ts';
import { defineTool, type Tool } from '../tool.ts';
import { withSuggestion } from '../unknown-arguments.ts';
import { nameTools } from './name-tools.ts';
import type { EndpointTool } from './tools-of-contract.ts';

/** Describes one of these tools completely, because a list of many tools has room for short descriptions only. */
export function describeTool(tools: readonly EndpointTool[]): Tool {
  return defineTool({
    name: 'describe_tool',
    title: 'Describe a tool',
    description:
      'Describes a tool of an endpoint completely: what it does, and the JSON schema of its arguments with descriptions, bounds and defaults. The ' +
      'tools whose names begin with a group, like runs_cancel, are listed with short descriptions and schemas. Use it before you call one of them for ' +
      'the first time, if it takes more than ids.',
    scopes: [],
    effect: 'read',
    input: z.strictObject({ tool: z.string().meta({ description: 'The name of the tool, like `runs_cancel`.' }) }),
    run: async (_context, { tool: name }) => {
      const names = tools.map((each) => each.name);
      const tool = tools.find((each) => each.name === name);
      if (tool) {
        const text = `${tool.wholeDescription}\n\n${JSON.stringify(tool.wholeSchema())}`;
        return { summary: nameTools(text, new Set(names)) };
      }
      throw new ToolError(
        `tool: ${withSuggestion(`no tool of an endpoint is named ${name}`, name, names, 'see tools/list')}`,
      );
    },
  });
}
