import type { FilePart, ImagePart, ModelMessage, TextPart, ToolDeclaration } from "../contract/model.ts";

const imageTokens = 1_500;

/** A rough count, four characters a token: good enough to know when a window fills up. */
export function estimateTokens(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}

// a tool's declaration never changes, and spelling it out costs more than all the rest of the estimate
const declarationTokens = new WeakMap<ToolDeclaration, number>();

export function estimateToolTokens(declarations: readonly ToolDeclaration[]): number {
  return declarations.reduce((sum, declaration) => {
    const tokens = declarationTokens.get(declaration) ?? JSON.stringify(declaration).length / 4;
    declarationTokens.set(declaration, tokens);
    return sum + tokens;
  }, 0);
}

function tokensOf(message: ModelMessage): number {
  switch (message.role) {
    case "user":
      return message.content.reduce((sum, part) => sum + partTokens(part), 4);
    case "assistant": {
      const { text, reasoning = "", toolCalls } = message;
      return 4 + Math.ceil((text.length + reasoning.length + JSON.stringify(toolCalls).length) / 4);
    }
    case "tool":
      return 4 + Math.ceil(message.output.length / 4) + message.images.length * imageTokens;
    default:
      return message satisfies never;
  }
}

function partTokens(part: TextPart | ImagePart | FilePart): number {
  if (part.type === "image") return imageTokens;
  return Math.ceil((part.type === "text" ? part.text.length : part.data.byteLength) / 4);
}
