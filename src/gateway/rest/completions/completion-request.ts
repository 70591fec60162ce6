// What a program that speaks OpenAI's language may ask for; what Steward decides by itself is read past.
import { z } from "zod";

const Part = z.object({
  type: z.string().max(40),
  text: z.string().optional(),
  image_url: z.object({ url: z.string() }).optional(),
});
const Message = z.object({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: z.union([z.string(), z.array(Part).max(100)]).nullish(),
});
export const CompletionRequest = z.object({
  model: z.string().min(1).max(200).default("steward"),
  messages: z.array(Message).min(1).max(5_000),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.number().int().nullish(),
});
export type CompletionRequest = z.infer<typeof CompletionRequest>;
type Message = z.infer<typeof Message>;

export type UploadedImage = { name: string; mediaType: string; base64: string };
export type Wish = {
  model: string;
  stream: boolean;
  includeUsage: boolean;
  text: string;
  images: readonly UploadedImage[];
  /** What was said before the last message, in words; for a conversation that does not know it yet. */
  earlier: string;
};
export type BadRequest = { message: string; param: string | null };

const maxImages = 20;

export function readCompletionRequest(raw: unknown): Wish | BadRequest {
  const read = CompletionRequest.safeParse(raw);
  if (!read.success) {
    const [issue] = read.error.issues;
    const param = issue?.path.join(".") ?? "";
    return { message: `${param || "The body"}: ${issue?.message ?? "is not understood"}`, param: param || null };
  }
  const { messages, model, stream, stream_options, n } = read.data;
  if (n !== null && n !== undefined && n !== 1)
    return { message: "n must be 1: Steward does a thing once and gives one answer.", param: "n" };
  const last = messages.findLastIndex((message) => message.role === "user");
  const spoken = messages[last];
  if (!spoken) return { message: "There is no message of the role user.", param: "messages" };
  const images = readImages(spoken);
  if ("message" in images) return { ...images, param: `messages.${last}.content` };
  const text = textOf(spoken);
  if (text.trim() === "" && images.length === 0)
    return { message: "The last message of the role user is empty.", param: `messages.${last}.content` };
  const earlier = messages.slice(0, last).flatMap(inWords).join("\n\n");
  const includeUsage = stream_options?.include_usage === true;
  return { model, stream: stream === true, includeUsage, text, images, earlier };
}

function readImages({ content }: Message): readonly UploadedImage[] | { message: string } {
  const images: UploadedImage[] = [];
  for (const part of typeof content === "string" ? [] : (content ?? [])) {
    if (part.type === "text") continue;
    if (part.type !== "image_url" || !part.image_url)
      return { message: `Content of the type ${part.type} is not taken; text and image_url are.` };
    const [, kind, base64] =
      /^data:image\/(png|jpeg|gif|webp);base64,([A-Za-z0-9+/]+={0,2})$/.exec(part.image_url.url) ?? [];
    if (!kind || !base64)
      return { message: "An image must be a data: URL of a PNG, JPEG, GIF or WebP; Steward fetches none by itself." };
    images.push({ name: `image-${images.length + 1}.${kind}`, mediaType: `image/${kind}`, base64 });
  }
  return images.length > maxImages ? { message: `At most ${maxImages} images go with one message.` } : images;
}

function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => (part.type === "text" ? (part.text ?? "") : [])).join("\n");
}

const speakers: Record<Message["role"], string> = {
  system: "Instructions",
  developer: "Instructions",
  user: "User",
  assistant: "Assistant",
  tool: "Tool result",
  function: "Tool result",
};

function inWords(message: Message): readonly string[] {
  const text = textOf(message).trim();
  return text === "" ? [] : [`${speakers[message.role]}: ${text}`];
}
