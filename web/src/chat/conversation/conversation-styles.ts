import { css } from "lit";
import { bubble } from "./bubble-styles.ts";
import { costStyles } from "./cost-line.ts";

const places = css`
  :host { position: relative; display: block; min-height: 0; }
  /* positioned, so that what is hidden from view scrolls with the rest instead of stretching the page below the composer */
  .scroller { position: relative; height: 100%; overflow-y: auto; overscroll-behavior: contain; scrollbar-gutter: stable both-edges; }
  .column {
    display: flex; flex-direction: column; width: 100%; max-width: 768px; min-height: 100%; margin: 0 auto;
    padding: var(--space-5) var(--space-5) var(--space-6);
  }
  .item { min-width: 0; margin-top: var(--space-3); }
  /* what lies far outside the window costs no layout */
  .item:nth-last-child(n + 12) { content-visibility: auto; contain-intrinsic-size: auto 120px; }
  .item.person { margin-top: var(--space-5); }
  .item.person + .item { margin-top: 0; }
  .item.person:has(> .asked) + .item { margin-top: var(--space-3); }
  .column > .item:first-child { margin-top: 0; }
  .item.tool + .item.tool { margin-top: var(--space-1); }
  .item.cost { margin-top: var(--space-1); }
  .item.answer { font-size: 15.5px; }
  .earlier { align-self: center; margin-bottom: var(--space-4); }
  .activity {
    display: flex; align-items: center; gap: var(--space-2); margin-top: var(--space-3);
    font-size: var(--text-s); color: var(--ink-faint);
  }
  .activity svg { color: var(--accent); }
  .pill {
    position: absolute; inset-inline-start: 50%; bottom: var(--space-3); translate: -50% 0;
    border-radius: 18px; box-shadow: var(--shadow-2); background: var(--surface);
  }
  .pill span { display: inline-flex; rotate: 90deg; }
  @media (max-width: 720px) {
    .scroller { scrollbar-gutter: auto; }
    .column { padding: var(--space-4) var(--space-4) var(--space-5); }
  }
`;

const items = css`
  .thought > summary, details.note > summary {
    display: inline-flex; align-items: center; gap: var(--space-1); padding: var(--space-1) 0; list-style: none;
    font-size: var(--text-s); color: var(--ink-faint);
  }
  .thought > summary::-webkit-details-marker, details.note > summary::-webkit-details-marker { display: none; }
  .thought > summary svg { transition: transform var(--quick); }
  .thought[open] > summary svg { transform: rotate(90deg); }
  .thoughts {
    max-height: 420px; overflow: auto; padding-inline-start: var(--space-4); white-space: pre-wrap; overflow-wrap: anywhere;
    font-size: var(--text-s); line-height: 1.6; color: var(--ink-soft); border-inline-start: 2px solid var(--line);
  }
  .decision, p.note { display: flex; align-items: center; gap: var(--space-2); font-size: var(--text-s); color: var(--ink-soft); }
  .decision.good svg { color: var(--good); }
  .decision.danger svg { color: var(--danger); }
  .note.quiet { justify-content: center; text-align: center; color: var(--ink-faint); text-wrap: balance; }
  details.note { text-align: center; }
  details.note > summary { text-decoration: underline dotted; text-underline-offset: 4px; }
  details.note .thoughts { margin-top: var(--space-2); text-align: start; }
  p.note.quiet::before, p.note.quiet::after { content: ""; flex: 1; min-width: var(--space-4); height: 1px; background: var(--line); }
  .note.warning, .note.error { padding: var(--space-2) var(--space-3); border-radius: var(--radius-m); align-items: flex-start; }
  .note.warning { color: var(--warning); background: var(--warning-soft); }
  .note.error { color: var(--danger); background: var(--danger-soft); }
  .note > :is(a, button) { flex: none; margin-inline-start: auto; min-height: 32px; }
  .note span { flex: 1; overflow-wrap: anywhere; min-width: 0; white-space: pre-line; }
  .recalled { display: flex; align-items: center; gap: var(--space-2); font-size: var(--text-s); color: var(--ink-faint); }
  .recalled a { color: inherit; text-decoration: none; }
  .recalled a:hover { color: var(--accent); text-decoration: underline; }
  .voice { display: flex; align-items: center; gap: var(--space-2); margin-bottom: var(--space-1); font-size: var(--text-s); color: var(--ink-soft); }
  .voice a { font-weight: 550; text-decoration: none; overflow-wrap: anywhere; }
  .voice a:hover { text-decoration: underline; }
  .asked { padding: var(--space-3) var(--space-4); background: var(--sunken); border-radius: var(--radius-l); }
  .asked .words { white-space: pre-wrap; overflow-wrap: anywhere; }
  .asked .well { max-height: 320px; background: var(--surface); }
  steward-approval-card { border-radius: var(--radius-l); }
  steward-attachments { margin-top: var(--space-2); }
  .outgoing { display: grid; justify-items: end; gap: var(--space-1); }
  .sending { min-height: 28px; font-size: var(--text-xs); color: var(--ink-faint); }
`;

export const conversationStyles = [places, items, bubble, costStyles];
