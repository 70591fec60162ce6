import { css } from "lit";

export const appStyles = css`
  :host { display: grid; grid-template: minmax(0, 1fr) / auto minmax(0, 1fr); height: 100dvh; }
  aside { width: 272px; min-height: 0; border-inline-end: 1px solid var(--line); }
  aside:has([collapsed]) { width: 60px; }
  main { position: relative; min-width: 0; overflow: auto; overscroll-behavior: contain; }
  main:focus { outline: none; }
  .skip { position: fixed; top: var(--space-2); left: var(--space-2); z-index: 10; transform: translateY(-200%); }
  .skip:focus { transform: none; }
  steward-sign-in-page { grid-column: 1 / -1; }

  .banner { position: fixed; inset: var(--space-3) 0 auto; z-index: 5; display: grid; justify-items: center; pointer-events: none; }
  .banner p {
    display: flex; align-items: center; gap: var(--space-2); padding: var(--space-2) var(--space-4); font-size: var(--text-s);
    color: var(--warning); background: var(--warning-soft); border: 1px solid currentColor; border-radius: 20px; box-shadow: var(--shadow-1);
    animation: appear var(--calm) ease-out;
  }
  @keyframes appear { from { opacity: 0; transform: translateY(-8px); } }

  .bottom { display: grid; grid-template-columns: repeat(5, 1fr); padding: 2px var(--space-2) calc(2px + env(safe-area-inset-bottom)); background: var(--paper); border-top: 1px solid var(--line); }
  .bottom > * { position: relative; flex-direction: column; gap: 0; min-height: 50px; padding: 0; font-size: var(--text-xs); font-weight: 500; }
  .bottom [aria-current] { color: var(--accent); }
  .bottom b {
    position: absolute; top: 3px; left: calc(50% + 6px); min-width: 17px; padding: 0 4px; font-size: 11px; line-height: 17px; text-align: center;
    color: var(--accent-ink); background: var(--accent); border-radius: 9px;
  }
  .bottom .news { top: 6px; min-width: 0; width: 9px; height: 9px; padding: 0; }
  .drawer { width: min(320px, 86vw); height: 100dvh; max-height: none; margin: 0; padding: 0; overflow: hidden; border: 0; border-inline-end: 1px solid var(--line); border-radius: 0; }
  .drawer[open] { animation: slide var(--calm) ease-out; }
  @keyframes slide { from { transform: translateX(-40%); opacity: 0; } }
  @media (max-width: 720px) {
    :host { grid-template: minmax(0, 1fr) auto / minmax(0, 1fr); }
    /* the on-screen keyboard needs the room */
    @media (max-height: 480px) { .bottom { display: none; } }
  }
`;
