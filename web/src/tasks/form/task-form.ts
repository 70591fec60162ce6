// Makes a task or changes one. What was typed stays until the gateway has taken it.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import type { PlannedTask } from "../../../../src/contract/wire/methods/tasks.ts";
import type { App } from "../../app/app.ts";
import { failureWords, type Loading, load, loading } from "../../settings/loading.ts";
import { watch } from "../../state/watch.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { unreadTask } from "../unread-task.ts";
import { beginningFields, beginnings, type FieldDeps } from "./beginning-fields.ts";
import { type Choice, choiceField } from "./form-field.ts";
import { formStyles } from "./form-styles.ts";
import { madeWebhook } from "./made-webhook.ts";
import { moreChoices } from "./more-choices.ts";
import {
  type Beginning,
  checkDraft,
  createEventParams,
  createParams,
  type DraftProblems,
  dayWords,
  draftOf,
  editParams,
  emptyDraft,
  type TaskDraft,
} from "./task-draft.ts";
import "./when-field.ts";

/** Tells `task-made` with the id of a new one. */
export class StewardTaskForm extends LitElement {
  static override properties = {
    app: { attribute: false },
    taskId: { attribute: false },
    action: { attribute: false },
    day: { attribute: false },
    edited: { state: true },
    draft: { state: true },
    problems: { state: true },
    problem: { state: true },
    made: { state: true },
    isBusy: { state: true },
    others: { state: true },
    models: { state: true },
    agents: { state: true },
    lacksModel: { state: true },
  };
  static override styles = [controls, formStyles, css`:host { display: block; }`];
  declare app: App;
  /** Undefined: a new one is made. */
  declare taskId: string | undefined;
  /** Of a new one: what it is to be at first, and the day it is for. */
  declare action: TaskDraft["action"] | undefined;
  declare day: string | undefined;
  declare edited: Loading<PlannedTask> | undefined;
  declare draft: TaskDraft;
  declare problems: DraftProblems;
  declare problem: string | undefined;
  declare made: MethodResult<"tasks.create"> | undefined;
  declare isBusy: boolean;
  declare others: readonly PlannedTask[];
  declare models: readonly string[];
  declare agents: readonly Choice[];
  /** Only the small offline model answers, which can do nothing. */
  declare lacksModel: boolean;
  /** The same wish sent twice is one task; another wish is another one. */
  private key = newKey();

  constructor() {
    super();
    this.draft = emptyDraft;
    this.problems = {};
    this.isBusy = false;
    this.others = [];
    this.models = [];
    this.agents = [];
    this.lacksModel = false;
    watch(this, () => [this.app.sessions]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.taskId !== undefined) void this.readTask(this.taskId);
    void this.readLists();
  }

  // another wish of the same kind leaves the words that stand there alone
  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("action") && this.action) this.draft = { ...this.draft, action: this.action, begins: "time" };
    if (changed.has("day") && this.day) this.draft = { ...this.draft, when: dayWords(this.day), begins: "time" };
  }

  override render(): TemplateResult {
    const { edited, taskId } = this;
    // what stands there then has a heading of its own
    const isGone = edited?.state === "failed" && edited.isMissing;
    const back = taskId === undefined ? "/tasks" : `/tasks/${encodeURIComponent(taskId)}`;
    return html`<a class="back" href=${back}>${icon("chevron", 16)} ${taskId === undefined ? "Tasks" : "Back"}</a>
      ${isGone ? nothing : html`<h1>${this.heading}</h1>`}
      ${this.made ? madeWebhook(this.made) : this.renderLoaded(edited)}`;
  }

  private get heading(): string {
    if (this.made) return "Your webhook";
    const kind = this.draft.action === "say" ? "reminder" : "task";
    return `${this.taskId === undefined ? "New" : "Edit"} ${kind}`;
  }

  private renderLoaded(edited: Loading<PlannedTask> | undefined): TemplateResult {
    if (edited?.state === "failed") return unreadTask(edited, () => void this.readTask(this.taskId ?? ""));
    if (edited?.state === "loading")
      return html`<div class="card bone" role="status" aria-busy="true" aria-label="Loading"></div>`;
    return this.renderForm(edited?.value);
  }

  private renderForm(task: PlannedTask | undefined): TemplateResult {
    const isSaying = this.draft.action === "say";
    const deps: FieldDeps = { draft: this.draft, problems: this.problems, set: (change) => this.set(change) };
    return html`<form class="card" novalidate @submit=${this.submit}>
      ${task && this.draft.begins !== "time" ? nothing : this.renderKind()} ${this.renderWords()}
      ${task ? this.renderBeginning(task) : this.renderBegins()} ${this.draft.begins === "time" ? this.renderWhen(task) : nothing}
      ${task ? nothing : beginningFields(deps, this.others)}
      ${moreChoices(deps, { sessions: this.app.sessions.value, models: this.models, agents: this.agents })}
      <p class="problem wide" role="alert" ?hidden=${!this.problem}>${this.problem}</p>
      <div class="row">
        <button class="primary" ?disabled=${this.isBusy}>
          ${this.isBusy ? icon("spinner", 16) : icon("check", 16)} ${task ? "Save" : isSaying ? "Create reminder" : "Create task"}
        </button>
        <a class="button quiet" href=${task ? `/tasks/${encodeURIComponent(task.id)}` : "/tasks"}>Cancel</a>
      </div>
    </form>`;
  }

  private renderKind(): TemplateResult {
    const kind = (value: TaskDraft["action"], title: string, about: string) => html`<label class="kind">
      <input
        type="radio"
        name="action"
        value=${value}
        .checked=${this.draft.action === value}
        @change=${() => this.set({ action: value, ...(value === "say" && { begins: "time" }) })}
      />
      <span><b>${title}</b><span class="hint">${about}</span></span>
    </label>`;
    return html`<fieldset>
      <legend>What it does</legend>
      <div class="kinds">
        ${kind("do", "Do something", "Steward works on it with its tools and tells you what it found.")}
        ${kind("say", "Just remind me", "You are told your own words. No model is asked, it costs nothing.")}
      </div>
      ${this.lacksModel && this.draft.action === "do" ? lackOfModel() : nothing}
    </fieldset>`;
  }

  private renderWords(): TemplateResult {
    const isSaying = this.draft.action === "say";
    return html`<div class="field">
      <label for="words">${isSaying ? "What to remind you of" : "What to do"}</label>
      <textarea
        id="words"
        rows="3"
        maxlength="20000"
        placeholder=${isSaying ? "Such as: call Anna" : "Such as: look whether there is new mail from the bank and tell me what it wants"}
        aria-invalid=${this.problems.words === undefined ? nothing : "true"}
        aria-describedby="words-problem"
        .value=${this.draft.words}
        @input=${(event: Event) => this.set({ words: (event.target as HTMLTextAreaElement).value })}
      ></textarea>
      <p class="problem" id="words-problem" role="alert" ?hidden=${!this.problems.words}>${this.problems.words}</p>
    </div>`;
  }

  private renderBegins(): TemplateResult {
    const isSaying = this.draft.action === "say";
    const field = {
      id: "begins",
      label: "It begins",
      value: this.draft.begins,
      choices: isSaying ? beginnings.filter(({ value }) => value === "time") : beginnings,
      hint: isSaying
        ? "A reminder comes at a time. For a file, a webhook or another task, choose “Do something”."
        : undefined,
    };
    return choiceField(field, (value) => this.set({ begins: value as Beginning }));
  }

  private renderBeginning(task: PlannedTask): TemplateResult | typeof nothing {
    if (this.draft.begins === "time") return nothing;
    return html`<div class="field">
      <span class="label">It begins</span>
      <p>${task.when}</p>
      <p class="hint">What begins it cannot be changed. Make a new task for something else.</p>
    </div>`;
  }

  private renderWhen(task: PlannedTask | undefined): TemplateResult {
    const isUntouched = task !== undefined && this.draft.when === draftOf(task).when;
    return html`<steward-when-field
      .app=${this.app}
      .value=${this.draft.when}
      .timeZone=${this.draft.timeZone}
      .asked=${isUntouched ? standingWish(task) : undefined}
      .problem=${this.problems.when}
      @typed=${(event: CustomEvent<string>) => this.set({ when: event.detail })}
    ></steward-when-field>`;
  }

  private set(change: Partial<TaskDraft>): void {
    this.draft = { ...this.draft, ...change };
    this.key = newKey();
    this.problem = undefined;
    // what is being mended is not complained of any more
    const mended = Object.keys(change);
    this.problems = Object.fromEntries(Object.entries(this.problems).filter(([name]) => !mended.includes(name)));
  }

  private async submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.isBusy) return;
    this.problems = checkDraft(this.draft);
    this.problem = undefined;
    if (Object.keys(this.problems).length > 0) return this.showProblem();
    this.isBusy = true;
    try {
      await this.send();
    } catch (error) {
      this.problem = failureWords(error);
    }
    this.isBusy = false;
  }

  private async send(): Promise<void> {
    const { app, draft } = this;
    if (this.edited?.state === "ready") {
      const { task } = await app.link.call("tasks.edit", editParams(this.edited.value, draft));
      app.say("Saved.", { tone: "good" });
      app.go(`/tasks/${encodeURIComponent(task.id)}`);
      return;
    }
    const made =
      draft.begins === "time"
        ? await app.link.call("tasks.create", createParams(draft, this.key))
        : await app.link.call("tasks.createEventTrigger", createEventParams(draft, this.key));
    this.dispatchEvent(new CustomEvent("task-made", { detail: made.task.id }));
    if (made.path === undefined) app.go(`/tasks/${encodeURIComponent(made.task.id)}`);
    else this.made = made;
  }

  // the first thing that is wrong is where somebody goes on typing
  private async showProblem(): Promise<void> {
    await this.updateComplete;
    const names = ["words", "path", "afterTask", "when", "budgetUsd"] as const;
    const first = names.find((name) => this.problems[name] !== undefined);
    if (first === "budgetUsd") this.renderRoot.querySelector("details")?.setAttribute("open", "");
    if (first === "when") this.renderRoot.querySelector("steward-when-field")?.focus();
    else this.renderRoot.querySelector<HTMLElement>(`#${fieldIds[first ?? "words"]}`)?.focus();
  }

  private async readTask(id: string): Promise<void> {
    this.edited = loading;
    const answer = await load(async () => (await this.app.link.call("tasks.get", { id })).task);
    if (answer.state === "ready") this.draft = draftOf(answer.value);
    this.edited = answer;
  }

  // without these lists there is less to choose from, and everything else works
  private async readLists(): Promise<void> {
    const { link } = this.app;
    const [tasks, models, agents] = await Promise.all([
      load(() => link.call("tasks.list", {})),
      load(() => link.call("models.list", {})),
      load(() => link.call("agents.list", {})),
    ]);
    if (tasks.state === "ready") this.others = tasks.value.tasks.filter(({ id }) => id !== this.taskId);
    if (models.state === "ready") {
      this.models = models.value.models.map(({ name }) => name);
      this.lacksModel = models.value.chosen.startsWith("offline/");
    }
    if (agents.state === "ready") this.agents = agents.value.agents.map(({ id, name }) => ({ value: id, words: name }));
  }
}

function lackOfModel(): TemplateResult {
  return html`<p class="lack">
    ${icon("warning", 16)} <span>Nobody can do it until a model is connected. <a href="/setup">Connect a model</a></span>
  </p>`;
}

const fieldIds = { words: "words", path: "path", afterTask: "after", budgetUsd: "budget" } as const;

// a schedule that stands is asked for as it is kept; other triggers need no telling
function standingWish({ trigger }: PlannedTask): string {
  return trigger.kind === "cron" ? trigger.expression : "";
}

function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}

customElements.define("steward-task-form", StewardTaskForm);
