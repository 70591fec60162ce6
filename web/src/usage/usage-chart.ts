import { css, html, LitElement, nothing, type TemplateResult, unsafeCSS } from "lit";
import uPlot from "uplot";
import plotStyle from "uplot/dist/uPlot.min.css?inline";
import { controls } from "../style/controls.ts";
import { formatMeasure, shortDay, shortModels } from "./chart-words.ts";
import { type ChartColours, plotOptions, plotValues } from "./plot-options.ts";
import type { DaySeries } from "./usage-days.ts";
import type { Measure } from "./usage-figures.ts";

const heightPx = 200;

/** One measure by day: bars on top of each other or lines, a legend, and the same figures as a table. */
export class StewardUsageChart extends LitElement {
  static override properties = {
    measure: {},
    heading: {},
    days: { attribute: false },
    series: { attribute: false },
    /** Changes when the colours do: a canvas does not know about style sheets. */
    theme: {},
    pointed: { state: true },
  };
  static override styles = [
    unsafeCSS(plotStyle),
    controls,
    css`
      :host {
        display: block; min-width: 0;
        --series-1: light-dark(#31487f, #8aa5ea); --series-2: light-dark(#b7791f, #e0b25c); --series-3: light-dark(#2f7a5c, #6cc49c);
        --series-4: light-dark(#8a4674, #d393bd); --series-5: light-dark(#8b8579, #837d72);
      }
      .card { display: grid; gap: var(--space-3); }
      header { display: flex; flex-wrap: wrap; align-items: baseline; gap: var(--space-1) var(--space-3); min-height: 24px; }
      .reading { margin-inline-start: auto; color: var(--ink-soft); font-size: var(--text-s); font-variant-numeric: tabular-nums; }
      .plot { height: 200px; min-width: 0; overflow: hidden; }
      .uplot { width: 100%; font-family: inherit; }
      .u-cursor-x { border-color: var(--ink-faint); }
      .legend { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); padding: 0; list-style: none; font-size: var(--text-s); color: var(--ink-soft); }
      .legend li { display: flex; align-items: center; gap: 6px; min-width: 0; overflow-wrap: anywhere; }
      .swatch { width: 10px; height: 10px; flex: none; border-radius: 3px; background: currentColor; }
      .series-1 { color: var(--series-1); } .series-2 { color: var(--series-2); } .series-3 { color: var(--series-3); }
      .series-4 { color: var(--series-4); } .series-5 { color: var(--series-5); }
      .line { color: var(--line); } .ink { color: var(--ink-faint); }
      summary { font-size: var(--text-s); color: var(--ink-soft); }
      .scroll { max-height: 280px; margin-top: var(--space-2); overflow: auto; }
      th[scope="row"] { font-weight: 400; }
    `,
  ];
  declare measure: Measure;
  declare heading: string;
  declare days: readonly string[];
  declare series: readonly DaySeries[];
  declare theme: string;
  /** The day under the pointer. */
  declare pointed: number | undefined;
  private plot: uPlot | undefined;
  private width = new ResizeObserver(([entry]) => this.resize(entry?.contentRect.width ?? 0));

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.width.disconnect();
    this.plot?.destroy();
    this.plot = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.draw();
  }

  override updated(changed: Map<PropertyKey, unknown>): void {
    if (["measure", "days", "series", "theme"].some((name) => changed.has(name))) this.draw();
  }

  override render(): TemplateResult {
    const names = shortModels(this.series.map((one) => one.name));
    return html`<section class="card" aria-labelledby="heading">
      <header>
        <h3 id="heading">${this.heading}</h3>
        <span class="reading" aria-hidden="true">${this.reading()}</span>
      </header>
      <div class="plot" aria-hidden="true"></div>
      <ul class="legend" aria-label="Models">
        ${this.series.map((one, index) => html`<li><span class="swatch series-${index + 1}"></span>${names.get(one.name)}</li>`)}
      </ul>
      <details>
        <summary>As a table</summary>
        ${this.renderTable(names)}
      </details>
      <span class="line" hidden></span><span class="ink" hidden></span>
    </section>`;
  }

  private renderTable(names: ReadonlyMap<string, string>): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${this.heading}>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Day</th>
            ${this.series.map((one) => html`<th scope="col" class="number">${names.get(one.name)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${this.days.map((day, index) => this.renderDay(day, index)).toReversed()}
        </tbody>
      </table>
    </div>`;
  }

  private renderDay(day: string, index: number): TemplateResult | typeof nothing {
    if (this.series.every((one) => !one.values[index])) return nothing;
    return html`<tr>
      <th scope="row">${shortDay(day)}</th>
      ${this.series.map((one) => html`<td class="number">${formatMeasure(this.measure, one.values[index] ?? null)}</td>`)}
    </tr>`;
  }

  private reading(): string {
    const index = this.pointed;
    const day = index === undefined ? undefined : this.days[index];
    if (index === undefined || day === undefined) return "";
    const names = shortModels(this.series.map((one) => one.name));
    const parts = this.series
      .filter((one) => one.values[index])
      .map((one) => `${names.get(one.name)} ${formatMeasure(this.measure, one.values[index] ?? null)}`);
    return `${shortDay(day)}: ${parts.length === 0 ? "nothing" : parts.join(", ")}`;
  }

  private draw(): void {
    const place = this.renderRoot.querySelector<HTMLElement>(".plot");
    if (!place) return;
    this.plot?.destroy();
    const size = { width: Math.max(place.clientWidth, 100), height: heightPx };
    const chart = { measure: this.measure, days: this.days, series: this.series };
    const options = plotOptions(chart, this.colours(), (index) => {
      this.pointed = index;
    });
    this.plot = new uPlot({ ...options, ...size }, plotValues(chart), place);
    this.width.observe(place);
  }

  private colours(): ChartColours {
    const read = (selector: string) => {
      const element = this.renderRoot.querySelector(selector);
      return element ? getComputedStyle(element).color : "gray";
    };
    return {
      series: this.series.map((_, index) => read(`.swatch.series-${index + 1}`)),
      line: read("span.line"),
      ink: read("span.ink"),
    };
  }

  private resize(widthPx: number): void {
    if (this.plot && widthPx > 0 && widthPx !== this.plot.width)
      this.plot.setSize({ width: widthPx, height: heightPx });
  }
}

customElements.define("steward-usage-chart", StewardUsageChart);
