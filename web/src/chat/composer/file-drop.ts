import type { ReactiveControllerHost } from "lit";

export type FileDrop = { readonly isOver: boolean };

/** Lets files be dropped anywhere on an element. */
export function acceptFiles(
  host: ReactiveControllerHost & HTMLElement,
  add: (files: readonly File[]) => void,
): FileDrop {
  let isOver = false;
  const set = (value: boolean): void => {
    if (value === isOver) return;
    isOver = value;
    host.requestUpdate();
  };
  const draggedOver = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    set(true);
  };
  // also told when the pointer only goes from one part of the element to another
  const draggedOut = (event: DragEvent): void => {
    if (!(event.relatedTarget instanceof Node) || !host.contains(event.relatedTarget)) set(false);
  };
  const dropped = (event: DragEvent): void => {
    set(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  };
  host.addEventListener("dragover", draggedOver);
  host.addEventListener("dragleave", draggedOut);
  host.addEventListener("drop", dropped);
  return {
    get isOver() {
      return isOver;
    },
  };
}
