// Text in markdown, drawn block by block: what is finished keeps its nodes, only the end is drawn anew while it is written.
import { css, html, LitElement, type PropertyValues, render, type TemplateResult } from "lit";
import { controls } from "../../style/controls.ts";
import { prose } from "../../style/prose.ts";
import { appendedText } from "./appended-text.ts";
import { type Block, openBlockReader } from "./block-reader.ts";
import { codeFrame, codeStyles } from "./code-frame.ts";
import type { CodeLine } from "./colour-worker.ts";
import { languageId } from "./language-names.ts";
import { sanitise } from "./sanitise.ts";

type Drawn = { block: Block; nodes: readonly ChildNode[]; lines: readonly CodeLine[] | undefined };

const restFactor = 8;
const mostColouredCharacters = 30_000;

export class StewardProse extends LitElement {
  static override properties = {
    text: { attribute: false },
    isStreaming: { attribute: false },
  };
  static override styles = [
    controls,
    prose,
    codeStyles,
    css`
      :host { display: block; }
      .table { margin: 0 0 var(--space-4); overflow-x: auto; border-radius: var(--radius-s); }
      .table table { display: table; width: max-content; min-width: 100%; max-width: none; margin: 0; }
      .table :is(th, td) { max-width: 34ch; vertical-align: top; }
      .task { list-style: none; margin-inline-start: -1.2em; }
      .prose > .table:last-child, .prose > :last-child > figure.code { margin-bottom: 0; }
    `,
  ];
  declare text: string;
  declare isStreaming: boolean;
  private readonly reader = openBlockReader();
  private drawn: Drawn[] = [];
  private restsUntilMs = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.text = "";
    this.isStreaming = false;
  }

  override render(): TemplateResult {
    return html`<div class="prose"></div>`;
  }

  override updated(changed: PropertyValues<this>): void {
    if (!changed.has("text") && !changed.has("isStreaming")) return;
    const restMs = this.isStreaming ? this.restsUntilMs - performance.now() : 0;
    clearTimeout(this.rest);
    if (restMs > 0) this.rest = setTimeout(() => this.drawText(), restMs);
    else this.drawText();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.rest);
  }

  private drawText(): void {
    const startedMs = performance.now();
    const { kept, fresh } = this.reader.read(this.text, !this.isStreaming);
    const before = this.drawn;
    this.drawn = before.slice(0, kept);
    for (const block of fresh) this.drawn.push(this.draw(block, before[this.drawn.length]));
    for (const gone of before.slice(this.drawn.length)) remove(gone);
    // a block that takes long to draw, such as a very long list, is drawn less often
    this.restsUntilMs = startedMs + (performance.now() - startedMs) * restFactor;
    const finished = this.isStreaming ? this.drawn.slice(0, -1) : this.drawn;
    for (const drawn of finished) if (drawn.block.kind === "code" && !drawn.lines) void this.colour(drawn);
  }

  private draw(block: Block, before: Drawn | undefined): Drawn {
    // code that is written on keeps its box, and with it the place it is scrolled to
    if (before && block.kind === "code" && before.block.kind === "code") {
      before.block = block;
      before.lines = undefined;
      this.drawCode(before);
      return before;
    }
    if (before && block.kind === "markup" && before.block.kind === "markup" && writeOn(before, block.html)) {
      before.block = block;
      return before;
    }
    const drawn: Drawn = { block, nodes: [], lines: undefined };
    if (block.kind === "code") {
      drawn.nodes = [document.createElement("div")];
      this.drawCode(drawn);
    } else {
      const fragment = sanitise(block.html);
      furnish(fragment);
      // something must mark the place of a block of which nothing may be shown
      drawn.nodes = fragment.hasChildNodes() ? [...fragment.childNodes] : [document.createComment("")];
    }
    const place = this.renderRoot.querySelector(".prose");
    if (before) {
      before.nodes[0]?.before(...drawn.nodes);
      remove(before);
    } else {
      place?.append(...drawn.nodes);
    }
    return drawn;
  }

  private drawCode(drawn: Drawn): void {
    const { block, nodes, lines } = drawn;
    if (block.kind !== "code") return;
    const { language, text } = block;
    render(codeFrame({ language, text, lines }), nodes[0] as HTMLElement);
  }

  private async colour(drawn: Drawn): Promise<void> {
    const { block } = drawn;
    if (block.kind !== "code") return;
    const lines = await colourCode(block.text, block.language);
    // written on meanwhile
    if (!lines || drawn.block !== block) return;
    drawn.lines = lines;
    this.drawCode(drawn);
  }
}

/** Only makes the last text longer, where that is all there is to do. */
function writeOn(drawn: Drawn, html: string): boolean {
  const added = drawn.block.kind === "markup" ? appendedText(drawn.block.html, html) : undefined;
  if (!added) return false;
  let place: ChildNode | null | undefined = drawn.nodes.findLast((node) => node instanceof Element);
  for (const [depth, name] of added.within.entries()) {
    if (!(place instanceof Element) || place.localName !== name) return false;
    place = depth === added.within.length - 1 ? place.lastChild : place.lastElementChild;
  }
  if (!(place instanceof Text)) return false;
  place.appendData(added.text);
  return true;
}

function remove(drawn: Drawn): void {
  for (const node of drawn.nodes) node.remove();
}

function furnish(fragment: DocumentFragment): void {
  for (const table of fragment.querySelectorAll("table")) table.replaceWith(tableBox(table));
  for (const point of fragment.querySelectorAll("li"))
    point.classList.toggle("task", /^\s*[☐☑]/u.test(point.textContent));
}

// a wide table is moved inside its own box, also by keyboard
function tableBox(table: HTMLTableElement): HTMLElement {
  const box = document.createElement("div");
  box.className = "table";
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Table");
  box.append(table.cloneNode(true));
  return box;
}

/** Undefined for what stays plain: a language nobody knows, or more text than is worth the time. */
async function colourCode(text: string, language: string): Promise<readonly CodeLine[] | undefined> {
  if (language === "" || text.length > mostColouredCharacters) return undefined;
  try {
    const { codeColours } = await import("./code-colours.ts");
    return await codeColours.colour(text, languageId(language));
  } catch {
    // the colours could not be loaded, as after an update of Steward: code is as readable without
    return undefined;
  }
}

customElements.define("steward-prose", StewardProse);
