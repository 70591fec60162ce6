import { css, html, type TemplateResult } from "lit";
import { icon } from "../../style/icons.ts";
import type { MountDraft } from "./group-draft.ts";

/** Folders of this machine that commands of the group see besides its own. */
export function mountFields(
  mounts: readonly MountDraft[],
  problem: string | undefined,
  set: (mounts: readonly MountDraft[]) => void,
): TemplateResult {
  const change = (at: number, to: Partial<MountDraft>) =>
    set(mounts.map((mount, place) => (place === at ? { ...mount, ...to } : mount)));
  const add = () => set([...mounts, { hostPath: "", containerPath: "", isReadonly: true }]);
  return html`<fieldset>
    <legend>More folders they see</legend>
    <div class="mounts">
      ${mounts.map((mount, at) =>
        mountRow(mount, at + 1, { change: (to) => change(at, to), remove: () => set(mounts.toSpliced(at, 1)) }),
      )}
      <div><button type="button" @click=${add}>${icon("plus", 16)} Add a folder</button></div>
      <p class="problem" role="alert" ?hidden=${problem === undefined}>${problem}</p>
    </div>
  </fieldset>`;
}

type RowActions = { change(to: Partial<MountDraft>): void; remove(): void };

function mountRow(mount: MountDraft, number: number, { change, remove }: RowActions): TemplateResult {
  return html`<div class="mount">
    <input
      aria-label="Folder ${number}, its whole path"
      placeholder="/home/anna/photos"
      maxlength="1000"
      autocomplete="off"
      spellcheck="false"
      .value=${mount.hostPath}
      @input=${(event: Event) => change({ hostPath: (event.target as HTMLInputElement).value })}
    />
    <label>
      <input
        type="checkbox"
        .checked=${!mount.isReadonly}
        @change=${(event: Event) => change({ isReadonly: !(event.target as HTMLInputElement).checked })}
      />
      may change it
    </label>
    <button type="button" class="quiet icon" aria-label="Remove folder ${number}" @click=${remove}>${icon("close", 16)}</button>
  </div>`;
}

export const mountStyles = css`
  .mounts { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); }
  .mount { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); }
  .mount > input { flex: 1 1 220px; min-width: 0; width: auto !important; }
  .mount label { display: inline-flex; align-items: center; gap: var(--space-2); font-size: var(--text-s); white-space: nowrap; }
`;
