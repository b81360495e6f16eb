// A curve of the expected result, one line a seat (uPlot), with a legend and the same numbers as a table.

import { useCallback, useEffect, useMemo, useRef } from "react";
import type uPlot from "uplot";
import type { CurvePoint, Unit } from "../api/types";
import { useLanguage, useT } from "../i18n";
import { figure } from "../i18n/numbers";
import { writtenIn } from "../i18n/units";
import { useTheme } from "../theme/theme";
import { BEYOND, columnsOf, inUnits } from "./curve";
import "uplot/dist/uPlot.min.css";
import "./curve.css";

interface Props {
  /** Values are payoffs. */
  points: readonly CurvePoint[];
  /** What they are shown in. */
  unit: Unit;
  /** Names of the seats. */
  names: readonly string[];
  /** Where a replay stands. */
  at?: number;
  onPick?(ply: number): void;
}

const HEIGHT = 170;
/** Distances of labels that need no more decimals than the numbers beside them. */
const STEPS = [-3, -2, -1, 0, 1, 2, 3].flatMap((power) => [1, 2, 5].map((first) => Number(`${first}e${power}`)));
const DASHES: (number[] | undefined)[] = [undefined, [7, 4], [2, 3], [9, 3, 2, 3]];

export function Curve({ points: payoffs, unit, names, at, onPick }: Props) {
  const t = useT();
  const language = useLanguage();
  const theme = useTheme();
  const { points, edge } = useMemo(() => inUnits(payoffs, unit), [payoffs, unit]);
  const written = useCallback(
    (value: number) => {
      const ended = edge !== null && Math.abs(value) >= edge;
      return ended ? t(value > 0 ? "kibitz.won" : "kibitz.lost") : writtenIn(unit, value, language);
    },
    [edge, unit, language, t],
  );
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const place = useRef(at);
  const pick = useRef(onPick);
  place.current = at;
  pick.current = onPick;

  useEffect(() => {
    const element = box.current;
    if (!element || points.length === 0) return;
    let gone = false;
    let observer: ResizeObserver | undefined;
    void import("uplot").then(({ default: Plot }) => {
      if (gone) return;
      const plot = new Plot(
        options(Plot, element, points, unit, edge, names, written, () => place.current),
        data(points),
        element,
      );
      chart.current = plot;
      plot.over.addEventListener("click", () => {
        const index = plot.cursor.idx;
        const ply = index === null || index === undefined ? undefined : plot.data[0][index];
        if (ply !== undefined) pick.current?.(ply);
      });
      observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
      observer.observe(element);
    });
    return () => {
      gone = true;
      observer?.disconnect();
      chart.current?.destroy();
      chart.current = null;
    };
  }, [points, unit, edge, names, written, theme]);

  useEffect(() => chart.current?.redraw(false, false), [at]);

  if (points.length === 0) return <p className="cv-empty soft">{t("kibitz.curveEmpty")}</p>;
  const { plies, seats, values } = columnsOf(points);
  const last = points[points.length - 1];
  return (
    <figure className="cv">
      <div
        ref={box}
        className={onPick ? "cv-chart cv-pick" : "cv-chart"}
        role="img"
        aria-label={t("kibitz.curveLabel", {
          n: points.length,
          value: written(last?.value ?? 0),
          name: names[last?.seat ?? 0] ?? "",
        })}
      />
      <figcaption className="cv-legend">
        {seats.map((seat) => (
          <span key={seat}>
            <svg width="24" height="8" aria-hidden="true">
              <line
                x1="0"
                y1="4"
                x2="24"
                y2="4"
                stroke={`var(--seat-${seat % 4})`}
                strokeWidth="3"
                strokeDasharray={DASHES[seat % 4]?.join(" ")}
              />
            </svg>
            {names[seat]}
          </span>
        ))}
      </figcaption>
      <details className="cv-numbers">
        <summary>{t("kibitz.numbers")}</summary>
        <div className="cv-scroll" tabIndex={0} role="region" aria-label={t("kibitz.numbers")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("kibitz.move")}</th>
                {seats.map((seat) => (
                  <th key={seat} scope="col">
                    {names[seat]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {plies.map((ply, row) => (
                <tr key={ply}>
                  <th scope="row">{figure(ply, language)}</th>
                  {values.map((column, i) => {
                    const value = column[row];
                    return <td key={i}>{value === null || value === undefined ? "" : written(value)}</td>;
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

/** The range of values with the middle of the unit in it and some air around them. */
export function rangeOf(low: number | null, high: number | null, middle = 0): [number, number] {
  const least = Math.min(middle, low ?? middle);
  const most = Math.max(middle, high ?? middle);
  if (least === most) return [middle - 1, middle + 1];
  const air = (most - least) * 0.1;
  return [least - air, most + air];
}

/** From the first place to the last, or around a single one. */
export function spanOf(plies: readonly number[]): [number, number] {
  const [first = 0, last = 0] = [plies[0], plies.at(-1)];
  return first === last ? [Math.max(0, first - 1), last + 1] : [first, last];
}

/** Room for the longest label of the axis. */
function widthOf(_plot: uPlot, labels: string[] | null): number {
  return Math.max(46, 16 + 7.5 * Math.max(0, ...(labels ?? []).map((label) => label.length)));
}

function data(points: readonly CurvePoint[]): uPlot.AlignedData {
  const { plies, values } = columnsOf(points);
  return [plies, ...values];
}

function options(
  Plot: typeof uPlot,
  element: HTMLElement,
  points: readonly CurvePoint[],
  unit: Unit,
  edge: number | null,
  names: readonly string[],
  written: (value: number) => string,
  place: () => number | undefined,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim() || "#888";
  const axis: uPlot.Axis = {
    stroke: colour("--text-soft"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1, size: 4 },
    font: `12px ${style.fontFamily}`,
  };
  const { plies, seats } = columnsOf(points);
  return {
    width: element.clientWidth || 300,
    height: HEIGHT,
    padding: [10, 16, 0, 0], // half a label at the ends of the axes
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: () => spanOf(plies) }, // uPlot itself widens a single place without measure
      y: { range: (_plot, low, high) => rangeOf(low, high, unit.zero) },
    },
    axes: [
      { ...axis, size: 30, incrs: [1, 2, 5, 10, 20, 50, 100], space: 36 },
      {
        ...axis,
        size: widthOf,
        space: 30,
        incrs: STEPS.filter((step) => step >= 10 ** -unit.digits),
        values: (_plot, ticks) => ticks.map(written),
        // What lies between the estimates and the edge is no value.
        ...(edge === null ? {} : { splits: () => [-edge, -Math.floor(edge / BEYOND), 0, Math.floor(edge / BEYOND), edge] }),
      },
    ],
    series: [
      {},
      ...seats.map((seat): uPlot.Series => ({
        label: names[seat] ?? String(seat),
        stroke: colour(`--seat-${seat % 4}`),
        width: 2,
        dash: DASHES[seat % 4],
        spanGaps: true,
        points: { show: points.length < 60, size: 6, fill: colour(`--seat-${seat % 4}`) },
      })),
    ],
    hooks: {
      draw: [
        (plot) => {
          const line = (x1: number, y1: number, x2: number, y2: number, stroke: string) => {
            plot.ctx.save();
            plot.ctx.strokeStyle = stroke;
            plot.ctx.lineWidth = Plot.pxRatio * 1.5;
            plot.ctx.beginPath();
            plot.ctx.moveTo(x1, y1);
            plot.ctx.lineTo(x2, y2);
            plot.ctx.stroke();
            plot.ctx.restore();
          };
          const { left, top, width, height } = plot.bbox;
          const zero = plot.valToPos(unit.zero, "y", true);
          if (zero >= top && zero <= top + height) line(left, zero, left + width, zero, colour("--line-strong"));
          const at = place();
          if (at === undefined) return;
          const x = Math.max(left, Math.min(left + width, plot.valToPos(at, "x", true)));
          line(x, top, x, top + height, colour("--gold"));
        },
      ],
    },
  };
}
