import { css } from "lit";

export const composerStyles = css`
  :host { display: block; }
  form.card { display: grid; padding: var(--space-2); gap: var(--space-1); box-shadow: var(--shadow-1); transition: border-color var(--quick); }
  form.card:focus-within { border-color: var(--ink-faint); }
  textarea {
    min-height: 44px; max-height: 40dvh; padding: 10px var(--space-3); resize: none; field-sizing: content;
    border: 0; background: none; line-height: 1.5;
  }
  textarea:focus-visible { outline: none; }
  .tools { display: flex; align-items: center; gap: var(--space-1); min-width: 0; }
  .tools select {
    width: auto; min-width: 0; max-width: 240px; min-height: 36px; padding: 0 var(--space-2); flex: 0 1 auto;
    font-size: var(--text-s); color: var(--ink-soft); background: none; border-color: transparent;
  }
  .tools select:hover { background: color-mix(in oklab, var(--ink) 6%, transparent); }
  .tools option { color: var(--ink); background: var(--surface); }
  .tools .icon { border-radius: 50%; flex: none; }
  .stop { color: var(--danger); }
  .problem { padding: 0 var(--space-3); }
  .uploads { display: flex; flex-wrap: wrap; gap: var(--space-2); padding: var(--space-2) var(--space-2) 0; list-style: none; }
  .uploads li {
    display: flex; align-items: center; gap: var(--space-2); max-width: 260px; padding: var(--space-1) var(--space-1) var(--space-1) var(--space-2);
    font-size: var(--text-s); background: var(--sunken); border-radius: var(--radius-m);
  }
  .uploads img { width: 36px; height: 36px; object-fit: cover; border-radius: var(--radius-s); margin-inline-start: -4px; }
  .uploads .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .uploads .muted { white-space: nowrap; }
  .uploads button { width: 28px; min-height: 28px; }
  @media (max-width: 520px) {
    .tools select { flex: 0 1 auto; padding-inline: var(--space-1); }
    .tools select:nth-of-type(2) { flex: none; max-width: 112px; }
  }
  @media (pointer: coarse) {
    .tools select { min-height: 44px; font-size: 16px; }
  }
`;
