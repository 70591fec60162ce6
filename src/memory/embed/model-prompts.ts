// Some models were trained with words before each text that say what it is for; without them they find worse.

export type ModelPrompts = { text: string; query: string };

const known: readonly { model: RegExp; prompts: ModelPrompts }[] = [
  { model: /embedding-?gemma/i, prompts: { text: "title: none | text: ", query: "task: search result | query: " } },
  { model: /nomic-embed-text/i, prompts: { text: "search_document: ", query: "search_query: " } },
  { model: /\be5-(?:small|base|large)/i, prompts: { text: "passage: ", query: "query: " } },
  {
    model: /mxbai-embed/i,
    prompts: { text: "", query: "Represent this sentence for searching relevant passages: " },
  },
];

/** By the name of the model or of its file. */
export function promptsOf(model: string): ModelPrompts {
  return known.find((one) => one.model.test(model))?.prompts ?? { text: "", query: "" };
}
