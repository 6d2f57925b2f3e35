import type { CallToolResult, Tool as WireTool } from '@modelcontextprotocol/server';
import { nameTools } from './endpoint-tools/name-tools.ts';
import { outline } from './outline.ts';
import type { Tool, ToolResult } from './tool.ts';

/** Maximum length of a result in characters. Longer results are cut, so that they do not fill a model's context. */
const maximumCharacters = 24_000;

/**
 * A tool as listed for clients. It is marked as closed-world, because it only reaches this service. What the protocol
 * takes for granted is left out: a tool that only reads loses nothing, and a title is the name. `offered` are the names
 * of the tools that there are.
 */
export function toWireTool(tool: Tool, offered: ReadonlySet<string>): WireTool {
  const { name, title, description, effect, isDestructive = false, isIdempotent = false } = tool;
  return {
    name,
    ...(title !== undefined && { title }),
    description: nameTools(description, offered),
    inputSchema: tool.inputSchema(),
    annotations: {
      ...(effect === 'read' ? { readOnlyHint: true } : { destructiveHint: isDestructive }),
      ...(effect === 'write' && isIdempotent && { idempotentHint: true }),
      openWorldHint: false,
    },
  };
}

/** A result for clients: text for models, and data. If the data is too long, it is left out and the text is cut. */
export function toWireResult({ summary, data = {} }: ToolResult): CallToolResult {
  const whole = [summary, outline(data)].filter((part) => part !== '').join('\n\n');
  const text = bounded(whole, 'Ask for less: use filters or a smaller limit, or read one record by its id.');
  return { content: [{ type: 'text', text }], ...(text === whole && { structuredContent: { ...data } }) };
}

/** An error that a model can act on. */
export function toWireError(message: string): CallToolResult {
  return { content: [{ type: 'text', text: bounded(message, 'Begin with these.') }], isError: true };
}

/** Cuts a text that is too long between two characters, and appends how long it was and what to do. */
export function bounded(text: string, remedy: string): string {
  if (text.length <= maximumCharacters) return text;
  const note = `… cut after ${maximumCharacters} of ${text.length} characters. ${remedy}`;
  return `${text.slice(0, maximumCharacters).toWellFormed()}\n${note}`;
}
