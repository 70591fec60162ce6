// The nouns of a research.

/** Fixed before anything is read; all that the reader knows. */
export type ResearchQuestion = { question: string; addresses: readonly string[] };

export type ResearchLimits = { steps: number; pages: number; searches: number; timeoutMs: number };

/** A page that was read. */
export type Source = { number: number; title: string; url: string };

/** `trouble`: why it ended before the reader wanted to; `report` is undefined when the reader never wrote one. */
export type ResearchEnd = { report: string | undefined; notes: readonly string[]; trouble: string | undefined };
