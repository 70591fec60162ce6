import { css } from "lit";

export const setupStyles = css`
  .page { max-width: 720px; }
  .note { display: flex; gap: var(--space-3); font-size: var(--text-s); }
  .note.good { background: var(--good-soft); border-color: transparent; }
  .note.good > svg { color: var(--good); }
  .note.bad { background: var(--danger-soft); border-color: transparent; }
  .note.bad > svg { color: var(--danger); }
  .said { margin-top: var(--space-1); white-space: pre-wrap; overflow-wrap: anywhere; }
  .steps { display: grid; gap: var(--space-6); margin: var(--space-6) 0 0; padding: 0; list-style: none; counter-reset: step; }
  .steps > li { position: relative; display: grid; gap: var(--space-3); padding-left: 44px; counter-increment: step; }
  .steps > li::before {
    content: counter(step); position: absolute; top: -2px; left: 0; width: 28px; height: 28px; line-height: 28px; text-align: center;
    font-size: var(--text-s); font-weight: 600; color: var(--accent); background: var(--accent-soft); border-radius: 50%;
  }
  .steps form { display: grid; gap: var(--space-4); }
  .found button { min-height: 30px; padding: 0 var(--space-3); border-radius: 15px; font-weight: 400; }
  .found button[aria-pressed="true"] { color: var(--accent); background: var(--accent-soft); border-color: var(--accent); }
  .again { justify-self: start; }
  .bone { height: 96px; margin-bottom: var(--space-5); background: var(--sunken); border-color: transparent; }
  .bone.tall { height: 340px; }
  @media (max-width: 520px) {
    .steps > li { padding-left: 0; }
    .steps > li::before { position: static; }
    .steps > li > h2 { margin-top: calc(-28px - var(--space-3)); padding: 2px 0 2px 40px; }
  }
`;
