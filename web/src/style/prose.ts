// Rendered markdown: put the class `prose` on what holds it.
import { css } from "lit";

export const prose = css`
  .prose { line-height: 1.65; overflow-wrap: break-word; text-wrap: pretty; }
  .prose > :first-child { margin-top: 0; }
  .prose > :last-child { margin-bottom: 0; }
  .prose p, .prose ul, .prose ol, .prose blockquote, .prose pre, .prose table { margin: 0 0 var(--space-4); }
  .prose h1, .prose h2, .prose h3, .prose h4, .prose h5, .prose h6 {
    margin: var(--space-5) 0 var(--space-2); font-weight: 600; line-height: 1.3;
  }
  .prose h1 { font-size: 21px; }
  .prose h2 { font-size: var(--text-l); }
  .prose h3 { font-size: 16px; }
  .prose h4, .prose h5, .prose h6 { font-size: var(--text-m); }
  .prose ul, .prose ol { padding-inline-start: 1.5em; }
  .prose li + li { margin-top: var(--space-1); }
  .prose li::marker { color: var(--ink-faint); }
  .prose li > ul, .prose li > ol { margin: var(--space-1) 0 0; }
  .prose li:has(> input[type="checkbox"]) { list-style: none; }
  .prose li > input[type="checkbox"] { width: 14px; height: 14px; margin: 0 var(--space-2) 0 -1.4em; vertical-align: -1px; }
  .prose blockquote { padding-inline-start: var(--space-4); color: var(--ink-soft); border-inline-start: 3px solid var(--line); }
  .prose a { color: var(--accent); text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 3px; }
  .prose a:hover { text-decoration-thickness: 2px; }
  .prose :not(pre) > code {
    padding: 0.1em 0.35em; font-family: var(--font-code); font-size: 0.88em;
    background: var(--sunken); border-radius: var(--radius-s);
  }
  .prose pre {
    padding: var(--space-3) var(--space-4); overflow-x: auto; tab-size: 2;
    font-family: var(--font-code); font-size: var(--text-s); line-height: 1.55;
    background: var(--sunken); border-radius: var(--radius-m);
  }
  .prose pre code { font: inherit; }
  .prose table { display: block; max-width: 100%; overflow-x: auto; border-collapse: collapse; font-size: var(--text-s); }
  .prose th, .prose td { padding: var(--space-2) var(--space-3); text-align: start; border: 1px solid var(--line); }
  .prose :is(th, td)[align="right"] { text-align: end; font-variant-numeric: tabular-nums; }
  .prose :is(th, td)[align="center"] { text-align: center; }
  @media (max-width: 520px) { .prose th, .prose td { padding: var(--space-1) var(--space-2); } }
  .prose th { font-weight: 600; background: var(--sunken); }
  .prose hr { height: 1px; margin: var(--space-5) 0; border: 0; background: var(--line); }
  .prose img { max-width: 100%; height: auto; border-radius: var(--radius-m); }
  .prose del { color: var(--ink-faint); }
  .prose kbd { padding: 0 var(--space-1); border: 1px solid var(--line); border-radius: var(--radius-s); }
`;
