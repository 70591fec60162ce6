import { css } from "lit";

/** What the views of the memory share: the way back, rows that lead somewhere, marked words, and what stands there while it loads. */
export const memoryStyles = css`
  .back { display: inline-flex; align-items: center; gap: 2px; min-height: 32px; margin-bottom: var(--space-2); font-size: var(--text-s); color: var(--ink-soft); text-decoration: none; }
  .back:hover { color: var(--ink); }
  .back svg { rotate: 180deg; }
  .top { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-3); margin-bottom: var(--space-4); }
  .top h1 { flex: 1 1 auto; overflow-wrap: anywhere; }
  .rows { padding: 0; list-style: none; overflow: hidden; }
  .rows > li { position: relative; }
  .rows > li + li { border-top: 1px solid var(--line); }
  .rows > li:hover { background: color-mix(in oklab, var(--ink) 4%, transparent); }
  .whole { color: var(--ink); font-weight: 550; text-decoration: none; overflow-wrap: anywhere; }
  .whole::after { content: ""; position: absolute; inset: 0; }
  .whole:focus-visible { outline: none; }
  .whole:focus-visible::after { outline: 2px solid var(--accent); outline-offset: -2px; border-radius: var(--radius-m); }
  mark { padding: 0 1px; color: inherit; background: var(--warning-soft); border-radius: 3px; box-shadow: inset 0 -1px 0 var(--warning); }
  .bones { display: grid; gap: var(--space-3); }
  .bone { height: 88px; background: var(--sunken); border-color: transparent; }
  .caution { display: flex; gap: var(--space-2); padding: var(--space-2) var(--space-3); font-size: var(--text-s); color: var(--warning); background: var(--warning-soft); border-radius: var(--radius-m); overflow-wrap: anywhere; }
  @media (max-width: 520px) { .top h1 { flex-basis: 100%; } }
  @media (pointer: coarse) { .back { min-height: 44px; } }
`;
