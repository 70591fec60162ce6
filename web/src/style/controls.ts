// What every element shares: buttons, fields, cards, chips, tables. One look, said once.
import { css } from "lit";

export const controls = css`
  *, *::before, *::after { box-sizing: border-box; }
  [hidden] { display: none !important; }
  h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; }
  h1, h2, h3 { font-weight: 600; line-height: 1.25; letter-spacing: -0.01em; text-wrap: balance; }
  h1 { font-size: var(--text-xl); }
  h2 { font-size: var(--text-l); }
  h3 { font-size: var(--text-m); }
  a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
  code, pre, kbd { font-family: var(--font-code); font-size: 0.92em; }
  kbd {
    display: inline-block; min-width: 1.7em; padding: 0 var(--space-1); text-align: center; white-space: nowrap;
    color: var(--ink-soft); background: var(--paper); border: 1px solid var(--line); border-radius: var(--radius-s);
  }
  hr { height: 1px; margin: var(--space-4) 0; border: 0; background: var(--line); }
  svg { flex: none; }

  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  :focus:not(:focus-visible) { outline: none; }

  button, .button, input, select, textarea { font: inherit; color: inherit; }
  button, .button {
    display: inline-flex; align-items: center; justify-content: center; gap: var(--space-2);
    min-height: 36px; padding: 0 var(--space-4); cursor: pointer; text-decoration: none; white-space: nowrap;
    font-size: var(--text-s); font-weight: 500; color: var(--ink);
    background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-m);
    transition: background-color var(--quick), border-color var(--quick), color var(--quick);
  }
  button:hover, .button:hover { border-color: var(--ink-faint); }
  button:active, .button:active { background: var(--sunken); }
  button.primary, .button.primary { color: var(--accent-ink); background: var(--accent); border-color: var(--accent); }
  button.primary:hover, .button.primary:hover {
    background: color-mix(in oklab, var(--accent) 88%, var(--ink)); border-color: transparent;
  }
  button.danger, .button.danger { color: var(--danger); }
  button.danger:hover, .button.danger:hover { background: var(--danger-soft); border-color: var(--danger); }
  button.danger.primary { color: var(--paper); background: var(--danger); border-color: var(--danger); }
  button.quiet, .button.quiet { color: var(--ink-soft); background: transparent; border-color: transparent; }
  button.quiet:hover, .button.quiet:hover {
    color: var(--ink); background: color-mix(in oklab, var(--ink) 7%, transparent);
  }
  button.icon, .button.icon { width: 36px; padding: 0; }
  button:disabled, button[aria-disabled="true"] { cursor: default; opacity: 0.5; }
  button:disabled:hover { border-color: var(--line); }

  input:not([type="checkbox"], [type="radio"], [type="range"], [type="file"]), select, textarea {
    width: 100%; min-height: 38px; padding: var(--space-2) var(--space-3);
    background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-m);
    transition: border-color var(--quick);
  }
  textarea { min-height: 80px; resize: vertical; line-height: 1.5; }
  select { padding-right: var(--space-5); text-overflow: ellipsis; }
  input:hover, select:hover, textarea:hover { border-color: var(--ink-faint); }
  input:focus-visible, select:focus-visible, textarea:focus-visible {
    outline: 2px solid var(--accent); outline-offset: -1px; border-color: var(--accent);
  }
  input[aria-invalid="true"], select[aria-invalid="true"], textarea[aria-invalid="true"] { border-color: var(--danger); }
  ::placeholder { color: var(--ink-faint); opacity: 1; }
  input[type="checkbox"], input[type="radio"] { width: 18px; height: 18px; margin: 0; accent-color: var(--accent); }
  input[type="search"]::-webkit-search-cancel-button { display: none; }
  input[type="checkbox"][role="switch"] {
    appearance: none; position: relative; width: 40px; height: 24px; flex: none; cursor: pointer;
    background: var(--ink-faint); border-radius: 12px; transition: background-color var(--quick);
  }
  input[role="switch"]::after {
    content: ""; position: absolute; top: 3px; left: 3px; width: 18px; height: 18px;
    background: var(--surface); border-radius: 50%; transition: transform var(--quick);
  }
  input[role="switch"]:checked { background: var(--accent); }
  input[role="switch"]:checked::after { transform: translateX(16px); }

  .field { display: grid; gap: var(--space-1); }
  .field > label, .field > .label { font-size: var(--text-s); font-weight: 550; }
  .hint { font-size: var(--text-s); color: var(--ink-faint); }
  .problem { font-size: var(--text-s); color: var(--danger); }

  .card { padding: var(--space-4); background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-l); }
  .well {
    padding: var(--space-3); overflow: auto; background: var(--sunken); border-radius: var(--radius-m);
    font-family: var(--font-code); font-size: var(--text-s); line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere;
  }
  .chip {
    display: inline-flex; align-items: center; gap: var(--space-1); min-height: 22px; padding: 0 var(--space-2);
    font-size: var(--text-xs); font-weight: 500; color: var(--ink-soft); white-space: nowrap;
    background: var(--sunken); border-radius: 11px;
  }
  .chip.good { color: var(--good); background: var(--good-soft); }
  .chip.warning { color: var(--warning); background: var(--warning-soft); }
  .chip.danger { color: var(--danger); background: var(--danger-soft); }
  .chip.accent { color: var(--accent); background: var(--accent-soft); }

  table.plain { width: 100%; border-collapse: collapse; font-size: var(--text-s); font-variant-numeric: tabular-nums; }
  table.plain th, table.plain td { padding: var(--space-2) var(--space-3); text-align: start; border-bottom: 1px solid var(--line); }
  table.plain th { font-weight: 550; color: var(--ink-faint); white-space: nowrap; }
  table.plain tr:last-child td { border-bottom: 0; }
  table.plain .number { text-align: end; }

  .row { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); }
  .stack { display: flex; flex-direction: column; gap: var(--space-4); }
  .grow { flex: 1; min-width: 0; }
  .muted { color: var(--ink-faint); }
  .small { font-size: var(--text-s); }
  .good-text { color: var(--good); }
  .warning-text { color: var(--warning); }
  .danger-text { color: var(--danger); }

  .empty {
    display: grid; justify-items: center; gap: var(--space-3); max-width: 46ch; margin: 0 auto;
    padding: var(--space-7) var(--space-4); text-align: center; color: var(--ink-soft); text-wrap: pretty;
  }
  .empty > svg { width: 32px; height: 32px; color: var(--ink-faint); }
  .empty h2 { color: var(--ink); }

  dialog {
    width: min(480px, calc(100vw - 2 * var(--space-4))); max-height: calc(100dvh - 2 * var(--space-5));
    padding: var(--space-5); color: var(--ink); overflow: auto;
    background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-l); box-shadow: var(--shadow-2);
  }
  dialog::backdrop { background: rgb(20 18 12 / 45%); }
  details > summary { cursor: pointer; }

  /* whatever scrolls around one of these must be positioned: else it lies where nothing scrolls it, and stretches the page */
  .visually-hidden {
    position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; overflow: hidden;
    clip-path: inset(50%); white-space: nowrap; border: 0;
  }
  .page { width: 100%; max-width: 880px; margin: 0 auto; padding: var(--space-6) var(--space-5) var(--space-7); }
  .page > header { margin-bottom: var(--space-5); }
  .page > header p { margin-top: var(--space-1); color: var(--ink-soft); }
  .turning { animation: turning 900ms linear infinite; }
  @keyframes turning { to { transform: rotate(1turn); } }
  @media (prefers-reduced-motion: reduce) { .turning { animation-duration: 4s; } }
  @media (pointer: coarse) {
    button, .button, select, input:not([type="checkbox"], [type="radio"], [type="range"], [type="file"]) { min-height: 44px; }
    button.icon, .button.icon { width: 44px; }
    /* below 16 px a phone zooms into a field that is touched */
    input, select, textarea { font-size: 16px; }
  }
  @media (max-width: 720px) { .page { padding: var(--space-4) var(--space-4) var(--space-6); } }
`;
