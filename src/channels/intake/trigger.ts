// Whether a message in a group is meant for the assistant: by the word at its start, in any case.

export type Called = { isCalled: boolean /** Without the word that called. */; text: string };

export function readTrigger(text: string, options: { trigger: string | null; assistantName: string }): Called {
  const word = options.trigger ?? `@${options.assistantName}`;
  const said = text.trimStart();
  const start = said.slice(0, word.length);
  const next = said.slice(word.length, word.length + 1);
  // "@Andy" is called by "@Andy, …" and not by "@Andyman …"
  const isCalled = start.toLowerCase() === word.toLowerCase() && !/[\p{L}\p{N}_]/u.test(next);
  return isCalled ? { isCalled, text: said.slice(word.length).replace(/^[\s,:;.!-]+/, "") } : { isCalled, text };
}
