import { css } from "lit";

export const formStyles = css`
  .back { display: inline-flex; align-items: center; gap: 2px; min-height: 32px; margin-bottom: var(--space-2); font-size: var(--text-s); color: var(--ink-soft); text-decoration: none; }
  .back:hover { color: var(--ink); }
  .back svg { rotate: 180deg; }
  h1 { margin-bottom: var(--space-4); }
  form, .made { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); padding: var(--space-5); }
  fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
  legend { padding: 0; margin-bottom: var(--space-1); font-size: var(--text-s); font-weight: 550; }
  .kinds, .two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); gap: var(--space-3); align-items: start; }
  .two { gap: var(--space-4) var(--space-3); }
  .kind { display: grid; grid-template-columns: 18px minmax(0, 1fr); gap: var(--space-3); padding: var(--space-3); cursor: pointer; border: 1px solid var(--line); border-radius: var(--radius-m); height: 100%; }
  .kind:has(:checked) { border-color: var(--accent); background: var(--accent-soft); }
  .kind:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
  .kind input { margin-top: 3px; outline: none; }
  .kind b { display: block; font-weight: 550; font-size: var(--text-s); }
  .kind:has(:checked) .hint { color: var(--ink-soft); }
  .lack { display: flex; gap: var(--space-2); margin-top: var(--space-3); font-size: var(--text-s); color: var(--warning); }
  .lack svg { margin-top: 2px; }
  .more { border-top: 1px solid var(--line); padding-top: var(--space-3); }
  .more > summary { font-size: var(--text-s); font-weight: 550; color: var(--ink-soft); }
  .choices { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); padding-top: var(--space-3); }
  .switch { display: flex; align-items: start; gap: var(--space-3); }
  .switch > div { flex: 1; min-width: 0; }
  .switch label { font-size: var(--text-s); font-weight: 550; }
  .problem.wide { padding: var(--space-2) var(--space-3); background: var(--danger-soft); border-radius: var(--radius-m); overflow-wrap: anywhere; }
  .bone { height: 320px; background: var(--sunken); border-color: transparent; }
  @media (max-width: 520px) { form, .made { padding: var(--space-4); } }
`;
